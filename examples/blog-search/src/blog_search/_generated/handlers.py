# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The handlers, by the names that clients use."""

from typing import Any

from blog_search._generated.contract import Tool
from blog_search._generated.models import (
    ReadChunkArguments,
    ReadChunkResult,
    SearchBlogArguments,
    SearchBlogResult,
)
from blog_search.tools.read_chunk import read_chunk
from blog_search.tools.search_blog import search_blog

# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "search_blog": Tool[SearchBlogArguments, SearchBlogResult](
        SearchBlogArguments, search_blog, timeout=60
    ),
    "read_chunk": Tool[ReadChunkArguments, ReadChunkResult](
        ReadChunkArguments, read_chunk
    ),
}
