"""Helpers for all formats: errors, line ends, edits of a text and a check of the result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

_MOVE = "correct the file, or move it away"


class FormatError(ValueError):
    """A text cannot be parsed or edited safely.

    `at` is its line and column, if it has one place. `hint` says how to fix it.
    """

    def __init__(self, message: str, at: tuple[int, int] | None = None, hint: str = _MOVE) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.hint = hint


def newline(text: str) -> str:
    """Return the line end that a text uses; the first one counts."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def line_start(text: str, at: int) -> int:
    """Return the offset of the line that holds an offset."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Return the offset of the next line end, or the end of the text."""
    end = text.find("\n", at)
    if end < 0:
        return len(text)
    return end - 1 if end > at and text[end - 1] == "\r" else end


def indentation(text: str, at: int) -> str:
    """Return the white space that begins the line of an offset, up to the offset at most."""
    line = text[line_start(text, at) : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def edited(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Return the text with spans replaced. The spans must not overlap; repeated edits count once.

    Of insertions at one offset, the first comes first.
    """
    parts, done = [], 0
    for start, end, new in sorted(dict.fromkeys(edits), key=itemgetter(0, 1)):
        parts += [text[done:start], new]
        done = end
    return "".join([*parts, text[done:]])


def place(text: str, at: int) -> tuple[int, int]:
    """Return the line and the column of an offset, counted from 1."""
    return text.count("\n", 0, at) + 1, at - line_start(text, at) + 1


def check(old: Any, new: Any, root: str, name: str | None) -> None:
    """Check that two documents differ only in one entry, or in the value at `root`.

    Mappings that are empty or null count as absent. Raises FormatError.
    """
    if _without(old, root, name) != _without(new, root, name):
        raise FormatError("the layout of the file is not supported", None, "edit it yourself")


def _without(whole: Mapping[str, Any] | None, root: str, name: str | None) -> Mapping[str, Any]:
    rest = {key: value for key, value in (whole or {}).items() if key != root}
    entries = (whole or {}).get(root) if name else None
    left = {key: value for key, value in (entries or {}).items() if key != name}
    return {**rest, root: left} if left else rest
