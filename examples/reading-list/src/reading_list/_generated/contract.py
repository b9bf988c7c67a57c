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
from mcp_types import ResourceLink as ResourceLink
from mcp_types import TextContent as TextContent
from mcp_types import TextResourceContents as TextResourceContents

from .runtime.handlers import BaseContext, Model
from .runtime.handlers import NotWritten as NotWritten
from .runtime.handlers import ToolError as ToolError
from .runtime.tools import ToolResult as ToolResult
from .runtime.upstream import UpstreamError as UpstreamError

if TYPE_CHECKING:  # It may import this module.
    from reading_list.lifespan import Shared

Context: TypeAlias = "BaseContext[Shared]"


class FindBooksArguments(Model):
    words: str
    """Part of a title or of an author's name, such as woolf"""


class FindBooksResultItem(Model):
    title: str
    author: str
    pages: int


class FindBooksResult(Model):
    result: list[FindBooksResultItem]


class PlanReadingArguments(Model):
    pages: int
    """Number of pages, as find_books returns it"""
    pages_each_evening: int = 30
    """Pages read each evening"""


class PlanReadingResult(Model):
    result: int
