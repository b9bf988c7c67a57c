# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The settings of blog-search."""

from dataclasses import dataclass, field

from .runtime.command import SettingsError
from .runtime.settings import EnvironmentSettings

__all__ = ["Settings", "SettingsError"]


@dataclass(frozen=True, kw_only=True)
class Settings(EnvironmentSettings):
    """Read from environment variables by `Settings.from_environment()`."""

    blog_content: str | None = field(
        default=None, metadata={"variable": "BLOG_CONTENT", "parse": str}
    )
    """Folder of the Markdown posts. The posts that come with the server, if not set."""

    ollama_url: str | None = field(
        default=None, metadata={"variable": "OLLAMA_URL", "parse": str}
    )
    """Address of an Ollama server, such as http://127.0.0.1:11434, to search by
    meaning. The search is by words, and needs no other server, if not set.
    """

    ollama_model: str = field(
        default="all-minilm", metadata={"variable": "OLLAMA_MODEL", "parse": str}
    )
    """Embedding model that the Ollama server is asked for."""

    blog_search_token: str | None = field(
        default=None,
        repr=False,
        metadata={"variable": "BLOG_SEARCH_TOKEN", "parse": str},
    )
    """Bearer token that HTTP clients must send."""
