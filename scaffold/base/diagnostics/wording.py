"""Helpers for messages: quoted text, lists of words, and the nearest known word."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

CHOICES = 500
"""The maximum number of choices that `nearest` compares, to limit its run time."""


def nearest(word: str, choices: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the choice most similar to `word`, or None if none is similar enough.

    Only the first `CHOICES` are compared.
    """
    import difflib  # slow to import, and only needed for errors

    by_folded = {choice.lower(): choice for choice in islice(choices, CHOICES)}
    near = difflib.get_close_matches(word.lower(), by_folded, n=1, cutoff=cutoff)
    return by_folded[near[0]] if near else None


def is_certain(word: str, choice: str) -> bool:
    """Return whether a word can only be a misspelling of the choice: long, and nearly the same."""
    is_near = sorted(word) == sorted(choice) or nearest(word, [choice], 0.8) is not None
    return len(word) > 3 and word.isalpha() and is_near


def did_you_mean(
    word: str, choices: Iterable[str], otherwise: str = "", cutoff: float = 0.6
) -> str:
    """Return a hint with the choice most similar to `word`, or else `otherwise`."""
    near = nearest(word, choices, cutoff)
    return f"did you mean `{near}`?" if near else otherwise


def cut(text: str, longest: int = 60) -> str:
    """Return the text, shortened to `longest` characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def quote(text: str, longest: int = 60) -> str:
    """Return the text in backticks, shortened to `longest` characters."""
    return f"`{cut(text, longest)}`"


def join(words: Iterable[str], last: str = "or") -> str:
    """Return the words as a list in a sentence: `a`, `b` or `c`."""
    quoted = [f"`{word}`" for word in words]
    return f" {last} ".join([", ".join(quoted[:-1]), quoted[-1]]) if quoted[1:] else "".join(quoted)
