# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from mcp.shared.exceptions import MCPError as MCPError
from mcp_types import Annotations as Annotations
from mcp_types import AudioContent as AudioContent
from mcp_types import BlobResourceContents as BlobResourceContents
from mcp_types import CallToolResult as CallToolResult
from mcp_types import ContentBlock as ContentBlock
from mcp_types import EmbeddedResource as EmbeddedResource
from mcp_types import Icon as Icon
from mcp_types import ImageContent as ImageContent
from mcp_types import ReadResourceResult as ReadResourceResult
from mcp_types import ResourceLink as ResourceLink
from mcp_types import TextContent as TextContent
from mcp_types import TextResourceContents as TextResourceContents

from .runtime.handlers import BaseContext, Model
from .runtime.handlers import NotWritten as NotWritten
from .runtime.handlers import ToolError as ToolError
from .runtime.resources import ResourceNotFound as ResourceNotFound
from .runtime.resources import ResourceResult as ResourceResult
from .runtime.tools import ToolResult as ToolResult

if TYPE_CHECKING:  # It may import this module.
    from blog_search.lifespan import Shared

Context: TypeAlias = "BaseContext[Shared]"


class ChunkNotFound(ToolError):
    def __init__(self, *, source: object, chunk_index: object) -> None:
        super().__init__(f"Not found: {source}#chunk{chunk_index}")


class EmbeddingFailed(ToolError):
    def __init__(self, *, reason: object) -> None:
        super().__init__(
            f"The embedding server cannot be used: {reason}. Try again later."
        )


class SearchBlogArguments(Model):
    query: str
    """What to look for, in plain words."""
    top_k: int = 5
    """How many chunks to return at most."""


class SearchBlogHit(Model):
    source: str
    """Path of the post in the blog."""
    chunk_index: int
    """Number of the chunk in the post."""
    title: str
    """Title of the post."""
    heading: str
    """Heading that the chunk stands under."""
    snippet: str
    """The part of the chunk that fits."""
    score: float
    """How well it fits. Compare it within one answer only."""


class SearchBlogResult(Model):
    hits: list[SearchBlogHit]


class ReadChunkArguments(Model):
    source: str
    """Path of the post in the blog, such as timeouts.md."""
    chunk_index: int
    """Number of the chunk in the post; the first is 0."""


class ReadChunkResult(Model):
    title: str
    """Title of the post."""
    heading: str
    """Heading that the chunk stands under."""
    text: str
    """The chunk as Markdown."""
    chunk_count: int
    """How many chunks the post has."""
