"""What a search by words finds."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ollama_server import embedding

from blog_search.index import MeaningIndex, WordIndex
from blog_search.posts import Chunk

TEXTS = [
    "Servers that retry are retried.",
    "A queue AND a stack.",
    "Nothing of interest, NEAR nothing.",
]
INDEX = WordIndex([Chunk("a.md", n, "Title", "", text) for n, text in enumerate(TEXTS)])


def found(query: str) -> list[int]:
    return [hit.chunk.index for hit in INDEX.search(query, 20)]


def test_any_word_of_the_query_is_enough() -> None:
    assert sorted(found("queue, zeppelin or retries?")) == [0, 1]


def test_other_forms_of_a_word_are_found() -> None:
    assert found("Retrying QUEUES") == found("queue retry") != []


@pytest.mark.parametrize(
    "query", ["NEAR(queue, 2", 'queue"', "text:queue", "queue*", "-queue ^"]
)
def test_the_syntax_of_the_index_is_only_text(query: str) -> None:
    assert 1 in found(query)


def test_a_question_of_small_words_alone_is_still_searched() -> None:
    assert found("and are of") != []


@given(st.text(max_size=1000))
def test_no_query_is_an_error(query: str) -> None:
    assert set(found(query)) <= {0, 1, 2}


def test_a_query_of_very_many_words_is_no_error() -> None:
    assert found(" ".join(f"w{n}" for n in range(5000)) + " queue") == [1]


def test_many_threads_may_search_at_once() -> None:
    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(found, ["queue"] * 500)) == [[1]] * 500


def test_a_hit_by_meaning_is_the_chunk_that_was_embedded() -> None:
    texts = ["retry", "ping", "bytes"]
    chunks = [Chunk("a.md", n, "", "", text) for n, text in enumerate(texts)]
    index = MeaningIndex(chunks, lambda texts: map(embedding, texts))
    assert [index.search(text, 1)[0].chunk for text in texts] == chunks
