import datetime as dt
from typing import Annotated, Literal, TypeAlias

from pydantic import Field
from tests.python.models import ABSENT, Model


class ReadChunkFilter(Model):
    x: str | None = None


class ReadChunkArguments(Model):
    source: str
    """Markdown file path."""
    chunk_index: int
    format: Literal["md", "html"] | None = None
    """What
    to return.
    """
    since: Annotated[dt.date | None, Field(deprecated=True)] = None
    max_results: Annotated[int, Field(alias="max-results")] = 5
    filter: ReadChunkFilter | None = None
    """What a field tells is not told twice."""


class ReadChunkResult(Model):
    text: str
    next: int | None = None
    score: float = 1


class PingArguments(Model):
    pass


class ListPostsArguments(Model):
    pass


class ListPostsItem(Model):
    title: str | None = ABSENT


ListPostsResult: TypeAlias = list[ListPostsItem]
