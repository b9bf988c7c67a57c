"""A spec file as plain JSON values, with the place of each value in the file."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import Place
from scaffold.base.secrets import mask

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

EXCERPT = 120
"""The maximum length of an excerpt; longer lines are cut around the place."""

_PROPERTIES = re.compile(r"([&!]\S*\s+)+")
"""The anchor and the tag of a value (YAML 1.2, 6.9)."""


class Node(NamedTuple):
    """A value, its span in the text, and the nodes inside it.

    `kids` holds the members of an object, each with the span of its key, or the items of an array.
    """

    value: Json
    start: int
    end: int
    kids: dict[str, Kid] | list[Kid] | None
    weight: int


class Kid(NamedTuple):
    """A member of an object or an item of an array; items have no `key`."""

    node: Node
    key: tuple[int, int] | None


class Document(Struct, frozen=True, dict=True):
    """A parsed spec file: its name as the user gave it, its text and its value.

    `text` has `\\n` line ends. `value` is what `json.loads` would return for the same content, with
    aliases expanded. Aliases share objects: do not mutate them. `is_plain` says that there are no
    anchors, tags or merge keys, so that each value is written once and literally. `noun` is the
    word for the document in messages.
    """

    name: str
    text: str
    value: Json
    root: Node
    secrets: Sequence[tuple[int, int]] = ()
    is_plain: bool = True
    noun: str = "the spec"

    def place(self, pointer: str, *, key: bool = False) -> Place:
        """Return the place of the value at a JSON Pointer, or of its key.

        The place of a container is its key, if it has one. If the pointer leads nowhere, the
        result is the place of the nearest existing container.
        """
        start, end = self._stretch(pointer, key)
        return self.at(start, end)

    def written(self, pointer: str) -> str:
        """Return the source text of the value at a JSON Pointer."""
        node = self._find(pointer)[0].node
        return _PROPERTIES.sub("", self.text[node.start : node.end].rstrip())

    def node(self, pointer: str) -> Node | None:
        """Return the node at a JSON Pointer, or None if it leads nowhere."""
        kid, exists = self._find(pointer)
        return kid.node if exists else None

    def is_flow(self, pointer: str) -> bool:
        """Return whether the collection at a JSON Pointer is written in brackets or braces."""
        node = self.node(pointer)
        return node is not None and self.text[node.start : node.start + 1] in ("[", "{")

    def span(self, pointer: str, *, key: bool = False) -> tuple[int, int] | None:
        """Return the span of the value at a JSON Pointer, or of its key, in the text.

        The result is None if the pointer leads nowhere, or if the value is empty.
        """
        kid, exists = self._find(pointer)
        span = kid.key if key else (kid.node.start, kid.node.end)
        return span if exists and span and span[0] < span[1] else None

    def at(self, start: int, end: int | None = None) -> Place:
        """Return the place of a span of the text, cut at the end of its first line."""
        line = bisect_left(self._line_ends, start)
        line_start = self._line_ends[line - 1] + 1 if line else 0
        line_end = self._line_ends[line] if line < len(self._line_ends) else len(self.text)
        stop = min(line_end, start + 1 if end is None else end)
        first, last = line_start, line_end
        if last - first > EXCERPT:
            first = max(first, min(start - EXCERPT // 3, last - EXCERPT))
            last = min(last, first + EXCERPT)
        return Place(
            self.name,
            line + 1,
            start - line_start + 1,
            max(1, stop - start),
            self._masked(first, last),
            first - line_start + 1,
        )

    @cached_property
    def _line_ends(self) -> list[int]:
        return [match.start() for match in re.finditer("\n", self.text)]

    def mappings(self, key: str) -> Iterator[tuple[str, dict[str, Json]]]:
        """Yield the mappings in a top-level list, with their pointers."""
        items = self.value.get(key) if isinstance(self.value, dict) else None
        for index, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, dict):
                yield f"/{key}/{index}", item

    def masking(self, key: str, inner: str) -> Document:
        """Return a copy whose excerpts mask, in the items of a top-level list, one of their keys."""
        pointers = [f"{at}/{inner}" for at, item in self.mappings(key) if inner in item]
        return replace(self, secrets=[self._stretch(pointer, key=False) for pointer in pointers])

    def _stretch(self, pointer: str, key: bool) -> tuple[int, int]:
        kid, exists = self._find(pointer)
        node = kid.node
        if kid.key and (key or node.kids is not None or node.start == node.end or not exists):
            return kid.key
        if isinstance(node.kids, dict) and node.kids:
            return next(iter(node.kids.values())).key or (node.start, node.start + 1)
        return (node.start, node.end if node.kids is None else node.start + 1)

    def _find(self, pointer: str) -> tuple[Kid, bool]:
        here = Kid(self.root, None)
        for token in tokens(pointer):
            kids = here.node.kids
            if isinstance(kids, dict) and token in kids:
                here = kids[token]
            elif isinstance(kids, list) and token.isdecimal() and int(token) < len(kids):
                here = kids[int(token)]
            else:
                return here, False
        return here, True

    def _masked(self, first: int, last: int) -> str:
        line = self.text[first:last]
        for start, end in self.secrets:
            if start < last and end > first:
                start, end = max(start - first, 0), min(end - first, len(line))
                line = line[:start] + "*" * (end - start) + line[end:]
        return mask(line)


def pointer(*path: str | int) -> str:
    """Return the JSON Pointer (RFC 6901) for a path of keys and indices."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)


def tokens(pointer: str) -> Sequence[str]:
    """Return the keys and indices of a JSON Pointer, as strings."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
