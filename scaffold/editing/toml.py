"""TOML, edited by tomlkit, which keeps the layout; edits that would move tables are refused."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import Any

import tomlkit
from tomlkit.container import OutOfOrderTableProxy
from tomlkit.items import Table

from scaffold.editing.text import FormatError, check, newline

_AT = re.compile(r"\(at line (\d+), column (\d+)\)")


def entries(text: str, root: str) -> Mapping[str, Any]:
    """Return the entries by name."""
    servers = _parse(text).get(root)
    if servers is not None and not isinstance(servers, dict):
        raise FormatError(f"`{root}` is not a table")
    return servers or {}


def put(text: str, root: str, name: str, entry: Mapping[str, Any]) -> str:
    """Return the text with the table of an entry, in its place or after the other entries."""
    entries(text, root)
    document = _document(text, root)
    table: Any = document.setdefault(root, tomlkit.table(is_super_table=True))
    if not isinstance(table, (Table, OutOfOrderTableProxy)):
        message = f"no table can be added to `{root}` as it is written"
        raise FormatError(message, None, f"write it as tables: `[{root}.NAME]`")
    table[name] = tomlkit.item(dict(entry))
    return _checked(text, tomlkit.dumps(document), root, name, entry)


def drop(text: str, root: str, name: str) -> str:
    """Return the text without the tables of an entry."""
    if name not in entries(text, root):
        return text
    document: Any = _document(text, root)
    del document[root][name]
    return _checked(text, tomlkit.dumps(document), root, name, None)


def _document(text: str, root: str) -> tomlkit.TOMLDocument:
    """Return the document of a valid text. Raises FormatError if tomlkit would rearrange it."""
    document = tomlkit.parse(text)
    if tomlkit.dumps(document) != text:
        message = f"the tables of `{root}`, or of another, are not next to each other"
        raise FormatError(message, None, "move them together")
    return document


def _checked(old: str, new: str, root: str, name: str, entry: Mapping[str, Any] | None) -> str:
    """Return the new text with the line ends of the old one.

    Raises FormatError unless the two differ in the entry only.
    """
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])
    change = new[start : len(new) - end].replace("\r\n", "\n").replace("\n", newline(old))
    new = new[:start] + change + new[len(new) - end :]
    if entries(new, root).get(name) != entry:
        raise FormatError("the entry cannot be written as TOML")
    check(_parse(new, str), _parse(old, str), root, name)  # NaN is not equal to itself
    return new


def _alike(a: str, b: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def _parse(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return the document. Raises FormatError."""
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        message, match = str(error), _AT.search(str(error))
        if match:
            message = message[: match.start()].strip()
        message = f"not valid TOML: {message[:1].lower()}{message[1:]}"
        at = (int(match[1]), int(match[2])) if match else None
        raise FormatError(message, at) from error
    except RecursionError as error:
        raise FormatError("nested too deeply") from error
