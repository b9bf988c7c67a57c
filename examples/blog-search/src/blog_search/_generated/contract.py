# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import mcp_types as types
from mcp.shared import exceptions

from .runtime import handlers, tools
from .runtime.handlers import BaseContext, Model

if TYPE_CHECKING:  # It may import this module.
    from blog_search.lifespan import Shared

# What handlers may need besides what follows from the spec.
Annotations = types.Annotations
AudioContent = types.AudioContent
BlobResourceContents = types.BlobResourceContents
CallToolResult = types.CallToolResult
ContentBlock: TypeAlias = types.ContentBlock
EmbeddedResource = types.EmbeddedResource
Icon = types.Icon
ImageContent = types.ImageContent
ResourceLink = types.ResourceLink
TextContent = types.TextContent
TextResourceContents = types.TextResourceContents
MCPError = exceptions.MCPError
NotWritten = handlers.NotWritten
ToolError = handlers.ToolError
ToolResult: TypeAlias = tools.ToolResult
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
