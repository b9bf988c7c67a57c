"""Handlers on their own, without a server."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from fake_context import fake_context

from blog_search._generated.models import SearchBlogArguments
from blog_search.index import WordIndex
from blog_search.lifespan import Shared
from blog_search.posts import Chunk
from blog_search.tools.search_blog import search_blog


@pytest.fixture
def shared() -> Iterator[Shared]:
    """A blog of one post, which stands in for the one that the server reads."""
    chunk = Chunk("kites.md", 0, "Kites", "Wind", "Fly a kite only in wind.")
    with closing(WordIndex([chunk])) as index:
        yield Shared({"kites.md": [chunk]}, index)


def test_a_hit_says_where_it_is(shared: Shared) -> None:
    arguments = SearchBlogArguments(query="kite")
    [hit] = search_blog(arguments, fake_context(shared=shared)).hits
    assert (hit.source, hit.chunk_index) == ("kites.md", 0)
    assert hit.snippet == "Fly a kite only in wind."
