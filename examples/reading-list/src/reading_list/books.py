"""The books on the list."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Book:
    title: str
    author: str
    pages: int


BOOKS = (
    Book("Middlemarch", "George Eliot", 880),
    Book("To the Lighthouse", "Virginia Woolf", 209),
    Book("The Left Hand of Darkness", "Ursula K. Le Guin", 304),
    Book("Things Fall Apart", "Chinua Achebe", 209),
)


def find_books(words: str) -> list[Book]:
    """Return the books with these words in their title or author."""
    sought = words.casefold()
    return [
        book for book in BOOKS if sought in f"{book.title}\n{book.author}".casefold()
    ]
