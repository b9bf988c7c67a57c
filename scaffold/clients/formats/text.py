"""What the formats share: errors, line ends, edits of a text and the check of a result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_MOVE = "correct the file, or move it away"


class FormatError(ValueError):
    """A text cannot be parsed or edited safely.

    `at` is the offset of the problem in the text, if it has one. `hint` says how to fix it.
    """

    def __init__(self, message: str, at: int | None = None, hint: str = _MOVE) -> None:
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


def next_line(text: str, at: int) -> int:
    """Return the offset of the next line, or the end of the text."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def indentation(text: str, at: int) -> str:
    """Return the white space that begins the line of an offset, up to the offset at most."""
    line = text[line_start(text, at) : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def edited(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Return the text with spans replaced. The edits are in order and do not overlap."""
    for start, end, new in reversed([*edits]):
        text = text[:start] + new + text[end:]
    return text


def place(text: str, at: int) -> tuple[int, int]:
    """Return the line and the column of an offset, counted from 1."""
    return text.count("\n", 0, at) + 1, at - line_start(text, at) + 1


def check(one: Any, other: Any, path: tuple[str, ...]) -> None:
    """Check that two documents are alike but for the entry at a path.

    Mappings on the path that are empty or null count as absent. Raises FormatError.
    """
    if _without(one, path) != _without(other, path):
        raise FormatError("the layout of the file is not supported", None, "edit it yourself")


def value_at(value: Any, path: tuple[str, ...]) -> Any:
    """Return the value at a path of keys, or None."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _without(value: Any, path: tuple[str, ...]) -> Any:
    if not isinstance(value, dict):
        return value
    inner = _without(value.get(path[0]), path[1:]) if len(path) > 1 else None
    rest = {key: held for key, held in value.items() if key != path[0]}
    return ({**rest, path[0]: inner} if inner is not None else rest) or None
