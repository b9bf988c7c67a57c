"""Edit source text at syntax tree nodes, and keep all other bytes."""

from __future__ import annotations

import ast
import re
from itertools import accumulate
from typing import TypeAlias

Edit: TypeAlias = tuple[int, int, str]
"""The start and end offsets of a span, and its replacement."""

Node: TypeAlias = ast.expr | ast.stmt | ast.alias


class Source:
    """A source text, with methods to edit it at syntax tree nodes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
        self.starts = [0, *accumulate(map(len, self.lines))]

    def edit(self, node: Node, old: str, new: str, behind: str = "") -> Edit:
        """Return an edit that replaces `old` at a node's start, or after a match of `behind`.

        Raises ValueError if `old` is not there.
        """
        start = self._offset(node.lineno, node.col_offset)
        if behind and (skipped := re.compile(behind).match(self.text, start)):
            start = skipped.end()
        return self._checked(start, old, new)

    def edit_end(self, node: Node, old: str, new: str) -> Edit:
        """Return an edit that replaces `old` with `new` at the end of a node."""
        return self._checked(self._end(node) - len(old), old, new)

    def replace(self, node: Node, new: str) -> Edit:
        """Return an edit that replaces a whole node."""
        return self._offset(node.lineno, node.col_offset), self._end(node), new

    def append(self, new: str) -> Edit:
        """Return an edit that appends to the text."""
        return len(self.text), len(self.text), new

    def _checked(self, start: int, old: str, new: str) -> Edit:
        end = start + len(old)
        if old != new and self.text[start:end] != old:
            raise ValueError(f"`{old}` is written in an unusual way")
        return (start, end, new) if old != new else (start, start, "")

    def _end(self, node: Node) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, line: int, column: int) -> int:
        """Return the offset of a position in the text; columns count UTF-8 bytes."""
        text = self.lines[line - 1]
        before = text if text.isascii() else text.encode()[:column].decode()
        return self.starts[line - 1] + len(before[:column])
