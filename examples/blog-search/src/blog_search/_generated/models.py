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


class SearchBlogArguments(Model):
    query: str
    """What to look for, in plain words."""
    top_k: int = 5
    """How many chunks to return at most."""


class Hit(Model):
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
    hits: list[Hit]


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


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that handlers import it."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
