"""What the handlers share: opened when the server starts, closed when it ends."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from blog_search._generated.settings import Settings, SettingsError
from blog_search.index import Index, MeaningIndex, WordIndex
from blog_search.ollama import Ollama
from blog_search.posts import Chunk, our_posts, read_posts


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""

    posts: Mapping[str, Sequence[Chunk]]
    """The chunks of each post, by its path in the blog."""
    index: Index


@asynccontextmanager
async def lifespan() -> AsyncGenerator[Shared]:
    settings = Settings.from_environment()
    try:
        content = settings.blog_content
        posts = read_posts(Path(content)) if content else our_posts()
    except OSError as error:
        raise SettingsError(f"BLOG_CONTENT: {error}") from error
    if settings.ollama_url and not settings.ollama_url.startswith(("http:", "https:")):
        raise SettingsError("OLLAMA_URL: begin it with http:// or https://")
    chunks = [chunk for post in posts.values() for chunk in post]
    if settings.ollama_url:
        ollama = Ollama(settings.ollama_url, settings.ollama_model)
        yield Shared(posts, MeaningIndex(chunks, ollama.embed))
    else:
        with closing(WordIndex(chunks)) as index:
            yield Shared(posts, index)
