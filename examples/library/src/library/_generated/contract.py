# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import mcp_types as types
from mcp.shared import exceptions
from pydantic import Field

from .runtime import answers, handlers, tools
from .runtime.handlers import BaseContext, Model

if TYPE_CHECKING:  # It may import this module.
    from library.lifespan import Shared

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
ApiError = answers.ApiError
Context: TypeAlias = "BaseContext[Shared]"


class ThereIsNoSuchBook(ToolError):
    def __init__(self) -> None:
        super().__init__("There is no such book")


class TheBookIsOnLoan(ToolError):
    def __init__(self) -> None:
        super().__init__("The book is on loan")


class ThereIsNoSuchLoan(ToolError):
    def __init__(self) -> None:
        super().__init__("There is no such loan")


# The default of what may be absent but not null: it is None, and a result leaves it out.
OMIT_IF_NONE: Any = Field(default=None, exclude_if=lambda value: value is None)


class SearchBooksPublished(Model):
    from_: Annotated[int | None, Field(alias="from")] = None
    """First year"""
    to: int | None = None
    """Last year"""


class SearchBooksArguments(Model):
    q: str
    """Words in the title"""
    subjects: list[str] | None = None
    """All of these subjects"""
    published: SearchBooksPublished | None = None
    """Years of publication"""
    accept_language: Annotated[list[str] | None, Field(alias="Accept-Language")] = None
    """Languages of the books"""
    limit: int | None = None
    """Most books to return"""


class Book(Model):
    id: int
    title: str
    authors: list[str] | None = OMIT_IF_NONE
    added: str
    dueBack: str | None = None


class SearchBooksResult(Model):
    result: list[Book]


class GetBookArguments(Model):
    id: int
    """Number of the book"""


class GetBookResult(Model):
    id: int
    title: str
    authors: list[str] | None = OMIT_IF_NONE
    added: str
    dueBack: str | None = None


class GetCoverArguments(Model):
    id: int
    """Number of the book"""


class UploadCoverArguments(Model):
    id: int
    """Number of the book"""
    picture: str
    """The picture"""
    credit: str | None = None
    """Who made it"""
    picture_filename: str | None = None
    """Name of the file in `picture`, with the suffix"""


class BorrowBookArguments(Model):
    book: int
    """Number of the book"""
    until: str
    """Day on which it is due back"""


class BorrowBookResult(Model):
    id: int
    title: str
    authors: list[str] | None = OMIT_IF_NONE
    added: str
    dueBack: str | None = None


class GetReceiptArguments(Model):
    id: int
    """Number of the loan"""


# Tools without an `outputSchema`.
GetCoverResult: TypeAlias = ToolResult
UploadCoverResult: TypeAlias = ToolResult
GetReceiptResult: TypeAlias = ToolResult
