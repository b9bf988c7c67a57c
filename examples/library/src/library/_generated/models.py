# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The arguments and results of the handlers."""

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from library._generated.contract import ToolResult


class Model(BaseModel):
    """An object that fits its schema, with its properties as attributes.

    An optional property that is absent is None; `model_fields_set` tells it from null.
    `model_extra` has properties that the schema does not name. Of a result, only the
    attributes that were set are sent.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        validate_by_name=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
        defer_build=True,
    )


# For what may be absent but not null: a result leaves it out if it is None.
ABSENT: Any = Field(default=None, exclude_if=lambda value: value is None)


class Published(Model):
    from_: Annotated[int | None, Field(alias="from")] = None
    """First year"""
    to: int | None = None
    """Last year"""


class SearchBooksArguments(Model):
    q: str
    """Words in the title"""
    subjects: list[str] | None = None
    """All of these subjects"""
    published: Published | None = None
    """Years of publication"""
    accept_language: Annotated[list[str] | None, Field(alias="Accept-Language")] = None
    """Languages of the books"""
    limit: int | None = None
    """Most books to return"""


class Book(Model):
    id: int
    title: str
    authors: list[str] | None = ABSENT
    added: str
    dueBack: str | None = None


class SearchBooksResult(Model):
    result: list[Book]


class GetBookArguments(Model):
    id: int
    """Number of the book"""


GetBookResult: TypeAlias = Book


GetCoverArguments: TypeAlias = GetBookArguments


class UploadCoverArguments(Model):
    id: int
    """Number of the book"""
    picture: str
    """The picture"""
    credit: str | None = None
    """Who made it"""


class BorrowBookArguments(Model):
    book: int
    """Number of the book"""
    until: str
    """Day on which it is due back"""


BorrowBookResult: TypeAlias = Book


class GetReceiptArguments(Model):
    id: int
    """Number of the loan"""


# Tools without an `outputSchema`.
GetCoverResult: TypeAlias = ToolResult
UploadCoverResult: TypeAlias = ToolResult
GetReceiptResult: TypeAlias = ToolResult


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that handlers import it."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
