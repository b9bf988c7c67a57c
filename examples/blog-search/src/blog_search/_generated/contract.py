# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What each handler is given, and what it may return."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypedDict, TypeVar

from mcp.server import ServerRequestContext
from mcp_types import CallToolResult, ContentBlock

if TYPE_CHECKING:
    from blog_search.lifespan import Shared


class SearchBlogArguments(TypedDict):
    query: str
    """What to look for, in plain words."""
    top_k: int
    """How many chunks to return at most."""


class SearchBlogResult(TypedDict):
    hits: list[SearchBlogResultHitsItem]


class SearchBlogResultHitsItem(TypedDict):
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


class ReadChunkArguments(TypedDict):
    source: str
    """Path of the post in the blog, such as timeouts.md."""
    chunk_index: int
    """Number of the chunk in the post; the first is 0."""


class ReadChunkResult(TypedDict):
    title: str
    """Title of the post."""
    heading: str
    """Heading that the chunk stands under."""
    text: str
    """The chunk as Markdown."""
    chunk_count: int
    """How many chunks the post has."""


@dataclass(frozen=True)
class Context:
    """What a handler may use besides its arguments."""

    shared: Shared
    """What `lifespan.py` opened."""
    request: ServerRequestContext[Shared]
    """The SDK's view of the request: its id, its metadata, the client's session."""


ToolResult: TypeAlias = (
    str
    | Mapping[str, Any]
    | ContentBlock
    | Sequence[ContentBlock]
    | CallToolResult
    | None
)
"""Text, a JSON object, content blocks, a whole result, or nothing to say."""

Arguments = TypeVar("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Tool(Generic[Arguments, Result]):
    """A tool's handler: `async def`, or a plain `def` that gets a thread of its own."""

    handler: Callable[
        [Arguments, Context],
        Awaitable[Result | CallToolResult] | Result | CallToolResult,
    ]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Filled in where the client leaves an argument out."""
    timeout: float | None = None
    """Seconds that a call may take."""


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that the server starts."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
