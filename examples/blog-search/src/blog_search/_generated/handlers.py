# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Which handler answers for what."""

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

TOOLS: dict[str, Tool[Any, Any]] = {
    "search_blog": Tool[SearchBlogArguments, SearchBlogResult](
        SearchBlogArguments, search_blog, timeout=60
    ),
    "read_chunk": Tool[ReadChunkArguments, ReadChunkResult](
        ReadChunkArguments, read_chunk
    ),
}
