"""TOML: an entry is put in as a table of its own at the end of the file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from scaffold.clients.formats.text import (
    FormatError,
    check,
    edited,
    line_start,
    newline,
    next_line,
    value_at,
)
from scaffold.clients.written import written

_AT = re.compile(r"\(at line (\d+), column (\d+)\)")
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    r"|[\[\]{}\n]"
    r"|[^\"'#\[\]{}\n]+",
    re.DOTALL,
)
_SPACE = re.compile(r"[ \t]*")


class _Table(NamedTuple):
    """A table in a text: its keys, and its span from its header to the end of its last line."""

    path: tuple[str, ...]
    start: int
    end: int


def entries(text: str, root: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the entries by name."""
    found = value_at(_parse(text), root)
    if found is not None and not isinstance(found, dict):
        raise FormatError(f"`{'.'.join(root)}` is not a table")
    return found or {}


def put(text: str, root: tuple[str, ...], name: str, entry: Mapping[str, Any]) -> str:
    """Return the text with a new table at its end."""
    if name in entries(text, root):
        raise FormatError(f"there is an entry `{name}` already")
    table: Mapping[str, Any] = {name: entry}
    for key in reversed(root):
        table = {key: table}
    nl = newline(text)
    new = text + _separator(text) + written(table, "toml").replace("\n", nl)
    try:
        _check(new, text, (*root, name), entry)
    except FormatError as error:
        message = f"no table can be added to `{'.'.join(root)}` as it is written"
        hint = f"write it as tables: `[{'.'.join((*root, 'NAME'))}]`"
        raise FormatError(message, None, hint) from error
    return new


def drop(text: str, root: tuple[str, ...], name: str, was: str | None) -> str:
    """Return the text without the tables of an entry, and without the blank line before them."""
    path = (*root, name)
    value = value_at(_parse(text), path)
    if value is None:
        return text
    ours = [table for table in _tables(text) if table.path[: len(path)] == path]
    if not ours:
        message = f"`{'.'.join(path)}` is not written as a table of its own"
        raise FormatError(message, None, "remove it yourself")
    start, nl = ours[0].start, newline(text)
    before = nl if was is None else _separator(was)
    if text[ours[-1].end :].strip() and before:  # what follows needs the end of the line
        before = nl
    for gap in (before, nl, ""):
        if not text[:start].endswith(gap):
            continue
        edits = [(start - len(gap), ours[0].end, "")]
        for last, table in pairwise(ours):
            blank = not text[last.end : table.start].strip()
            edits.append((last.end if blank else table.start, table.end, ""))
        new = edited(text, edits)
        try:
            _check(text, new, path, value)
        except FormatError:
            continue
        return new
    message = f"`{'.'.join(path)}` cannot be told from what is around it"
    raise FormatError(message, start, "remove it yourself")


def _separator(text: str) -> str:
    """Return what divides a new table from the text before it: a blank line."""
    whole = "" if not text or text.endswith("\n") else newline(text)
    return whole + newline(text) if text.strip() else whole


def _parse(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return the document. Raises FormatError."""
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        message, where = str(error), None
        if found := _AT.search(message):
            message = message[: found.start()].strip()
            starts = [0, *(match.end() for match in re.finditer("\n", text))]
            where = min(starts[int(found[1]) - 1] + int(found[2]) - 1, len(text))
        raise FormatError(f"not valid TOML: {message[:1].lower()}{message[1:]}", where) from error
    except RecursionError as error:
        raise FormatError("nested too deeply") from error


def _check(more: str, less: str, path: tuple[str, ...], entry: Mapping[str, Any]) -> None:
    """Check that two texts differ in an entry only. Raises FormatError."""
    if value_at(_parse(more), path) != entry:
        raise FormatError("the entry cannot be written as TOML")
    check(_parse(more, str), _parse(less, str), path)  # NaN is not equal to itself


def _tables(text: str) -> Iterator[_Table]:
    """Yield the tables of a valid text, in order; arrays of tables too."""
    path: tuple[str, ...] | None = None
    start = end = 0
    for at, stop in _statements(text):
        if text[at] == "[":
            if path is not None:
                yield _Table(path, start, end)
            path, start = _header(text[at:stop].rstrip("\r")), line_start(text, at)
        end = next_line(text, stop)
    if path is not None:
        yield _Table(path, start, end)


def _statements(text: str) -> Iterator[tuple[int, int]]:
    """Yield the span of each header and each `key = value`, up to the end of its line."""
    at = 0
    while at < len(text):
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        if at < len(text) and text[at] not in "\r\n#":
            depth, here = 0, at
            while here < len(text):
                token = _TOKEN.match(text, here)
                assert token, "the text is valid"
                if token[0] == "\n" and depth == 0:
                    break
                depth += (token[0] in "[{") - (token[0] in "]}")
                here = token.end()
            yield at, here
            at = here
        at = next_line(text, at)


def _header(line: str) -> tuple[str, ...]:
    """Return the keys of a header such as `[a."b.c"]`."""
    value: Any = tomllib.loads(line)
    keys = []
    while value:
        value = value[0] if isinstance(value, list) else value
        if not value:
            break
        ((key, value),) = value.items()
        keys.append(key)
    return tuple(keys)
