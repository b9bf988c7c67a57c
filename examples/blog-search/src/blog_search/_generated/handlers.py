# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Which handler answers for what."""

from typing import Any

from blog_search._generated.contract import (
    ReadChunkArguments,
    ReadChunkResult,
    SearchBlogArguments,
    SearchBlogResult,
    Tool,
)
from blog_search.tools.read_chunk import read_chunk
from blog_search.tools.search_blog import search_blog

TOOLS: dict[str, Tool[Any, Any]] = {
    "search_blog": Tool[SearchBlogArguments, SearchBlogResult](
        search_blog, defaults={"top_k": 5}, timeout=60
    ),
    "read_chunk": Tool[ReadChunkArguments, ReadChunkResult](read_chunk),
}
