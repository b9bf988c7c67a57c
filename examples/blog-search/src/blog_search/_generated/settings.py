# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Settings, which the server reads from environment variables."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self


class SettingsError(Exception):
    """A variable is missing or wrong; the text is printed, and the server does not start."""


@dataclass(frozen=True)
class Settings:
    """The settings of blog-search. An empty variable counts as not set."""

    blog_content: str | None
    """BLOG_CONTENT: Folder of the Markdown posts. The posts that come with the
    server, if not set.
    """

    ollama_url: str | None
    """OLLAMA_URL: Address of an Ollama server, such as http://127.0.0.1:11434, to
    search by meaning. The search is by words, and needs no other server, if
    not set.
    """

    ollama_model: str
    """OLLAMA_MODEL: Embedding model that the Ollama server is asked for."""

    blog_search_token: str | None = field(repr=False)
    """BLOG_SEARCH_TOKEN: Bearer token that HTTP clients must send."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        return cls(
            blog_content=environ.get("BLOG_CONTENT") or None,
            ollama_url=environ.get("OLLAMA_URL") or None,
            ollama_model=environ.get("OLLAMA_MODEL") or "all-minilm",
            blog_search_token=environ.get("BLOG_SEARCH_TOKEN") or None,
        )
