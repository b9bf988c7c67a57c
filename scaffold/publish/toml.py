"""A TOML file with the places of its keys, which the standard library's parser does not tell."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from scaffold.diagnostics import Edit, Fix, Place
from scaffold.yaml.document import Document

_TABLE = re.compile(r"^[ \t]*\[+([^\[\]\n]+)\]+[ \t]*(?:#.*)?$", re.MULTILINE)


class Toml(Struct, frozen=True):
    """The values of a TOML file, and its text."""

    document: Document
    values: Mapping[str, Any]

    @classmethod
    def parse(cls, document: Document) -> Toml:
        """Parse the text of a document. Raises tomllib.TOMLDecodeError."""
        return cls(document, tomllib.loads(document.text))

    def table(self, name: str) -> Mapping[str, Any]:
        """Return the table of a name, empty if there is none."""
        found = self.values.get(name)
        return found if isinstance(found, dict) else {}

    def place(self, table: str, key: str = "") -> Place:
        """Return the place of a key's value in a table, or else of the table's head."""
        return self.document.at(*next(self._values(table, key), self._head(table)))

    def replacing(self, table: str, key: str, text: str) -> Fix | None:
        """Return the fix that gives a key of a table another value, written as it is."""
        span = next(self._values(table, key), None)
        return Fix((Edit(*span, text),), "") if span else None

    def adding(self, table: str, line: str) -> Fix | None:
        """Return the fix that adds a line below the head of a table."""
        start, end = self._head(table)
        return Fix((Edit(end, end, f"\n{line}"),), "") if end > start else None

    def _head(self, table: str) -> tuple[int, int]:
        """Return the span of a table's head; that of nothing, if there is none."""
        heads = _TABLE.finditer(self.document.text)
        return next((head.span() for head in heads if head[1].strip() == table), (0, 0))

    def _values(self, table: str, key: str) -> Iterator[tuple[int, int]]:
        """Yield the span of the value of a key, up to the end of its line or a comment."""
        _, start = self._head(table)
        if not key or not start:
            return
        text = self.document.text
        end = _TABLE.search(text, start)
        line = re.compile(
            rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*=[ \t]*"
            r"(\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|[^\n#]*[^\s#])",
            re.MULTILINE,
        )
        for found in line.finditer(text, start, end.start() if end else len(text)):
            if self._is_read(table, key, found):
                yield found.span(1)

    def _is_read(self, table: str, key: str, found: re.Match[str]) -> bool:
        """Return whether a line is that of a key: it may be in a text of several lines."""
        start, end = found.span()
        without = f"{found.string[:start]}{found.string[end:]}"
        try:
            return key not in tomllib.loads(without).get(table, {})
        except tomllib.TOMLDecodeError:  # the value has more lines
            return True
