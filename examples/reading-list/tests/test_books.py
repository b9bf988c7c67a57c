"""The function behind `find_books`, on its own."""

import pytest

from reading_list.books import find_books


@pytest.mark.parametrize("words", ["Woolf", "LIGHTHOUSE", "virginia w"])
def test_a_book_is_found_by_its_title_or_its_author(words: str) -> None:
    assert [book.title for book in find_books(words)] == ["To the Lighthouse"]
