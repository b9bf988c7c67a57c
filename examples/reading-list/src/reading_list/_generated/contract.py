# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import mcp_types as types
from mcp.shared import exceptions

from .runtime import handlers, tools, upstream
from .runtime.handlers import BaseContext, Model

if TYPE_CHECKING:  # It may import this module.
    from reading_list.lifespan import Shared

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
UpstreamError = upstream.UpstreamError
NotWritten = handlers.NotWritten
ToolError = handlers.ToolError
ToolResult: TypeAlias = tools.ToolResult
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
