# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The arguments and results of the handlers."""

from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict


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


class FindBooksArguments(Model):
    words: str
    """Part of a title or of an author's name, such as woolf"""


class ResultItem(Model):
    title: str
    author: str
    pages: int


class FindBooksResult(Model):
    result: list[ResultItem]


class PlanReadingArguments(Model):
    pages: int
    """Number of pages, as find_books returns it"""
    pages_each_evening: int = 30
    """Pages read each evening"""


class PlanReadingResult(Model):
    result: int


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that handlers import it."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
