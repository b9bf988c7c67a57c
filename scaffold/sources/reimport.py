"""Merge a second import with the edits made since the first, entry by entry.

An entry is known by its name, wherever it is in its list: lines of two entries are never merged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from scaffold.disk.diff import lines
from scaffold.disk.merge import Conflict, Merged, merge
from scaffold.sources.source import KINDS
from scaffold.yaml.document import Document
from scaffold.yaml.source import parse

Key: TypeAlias = tuple[str, ...]
"""A top-level key of a spec, or such a key, the name of an entry and how often it was there before."""

_CLOSING = "]"


class Piece(Struct, frozen=True):
    """The lines of an entry, or of a top-level key without its entries.

    `start` is its first line, from 0. `gap` are the empty lines after it, None at the end.
    """

    start: int
    text: str
    gap: str | None


def merge_entries(path: str, base: str, ours: str, theirs: str) -> Merged:
    """Merge two edits of the spec `base`. Raises ScaffoldError if one of them cannot be parsed."""
    if base in (ours, theirs):
        return Merged(theirs if ours == base else ours, ())
    documents = [parse(text, path) for text in (base, ours, theirs)]
    starts = [_starts(document) for document in documents]
    whole = {key for _, odd in starts for key in odd}
    if len({document.is_flow("") for document in documents}) > 1:
        whole.add("")
    if "" in whole:
        starts = [(rows[:1], odd) for rows, odd in starts]
    old, mine, other = (
        _pieces(document, [row for row in rows if row[0][0] not in whole or len(row[0]) == 1])
        for document, (rows, _) in zip(documents, starts, strict=True)
    )
    lists = {key[0] for side in (old, mine, other) for key in side if len(key) == 3}
    merged: list[tuple[Key, str, str | None]] = []
    conflicts: list[Conflict] = []
    for key in _ordered(old, mine, other):
        a, b, c = old.get(key), mine.get(key), other.get(key)
        texts = [piece.text if piece else "" for piece in (a, b, c)]
        is_whole = key[0] in whole and texts[0] not in texts[1:]
        result = merge("" if is_whole else texts[0], texts[1], texts[2], source="source")
        line = b.start if b else len(lines(ours))
        conflicts += (Conflict(line + at.start, line + at.stop) for at in result.conflicts)
        if key[0] in lists and len(key) < 3:  # only encloses entries: there if they are
            result = Merged(result.text or texts[1] or texts[2], ())
        merged.append((key, result.text, _gap(a, b, c)))
    empty = lists - {key[0] for key, text, _ in merged if len(key) == 3 and text}
    kept = [row for row in merged if row[1] and row[0][0] not in empty]
    return Merged(_joined(kept, documents[1].is_flow("")), tuple(conflicts))


def _starts(document: Document) -> tuple[list[tuple[Key, int]], list[str]]:
    """Return where pieces start in a text, and the keys of lists whose entries share lines.

    A spec whose top-level keys share lines is one piece, with an empty key.
    """
    text, kids = document.text, document.root.kids
    rows: list[tuple[Key, int]] = [(("",), 0)]
    odd: list[str] = []
    for key, kid in kids.items() if isinstance(kids, dict) else ():
        rows.append(((key,), kid.key[0] if kid.key else 0))
        inner = [(name, item.node.start) for name, item in _entries(key, kid.node)]
        if document.is_flow("") and inner:
            inner.append(((key, _CLOSING), kid.node.end - 1))
        is_listed = bool(inner) and document.is_flow(f"/{key}") is document.is_flow("")
        if is_listed and all(_begins_line(text, at) for _, at in inner):
            rows += inner
        elif kid.node.value and isinstance(kid.node.value, list):
            odd.append(key)
    if document.is_flow(""):
        rows.append((("}",), document.root.end - 1))
    if any(not re.fullmatch(r"\s*", _before(text, at)) for key, at in rows if len(key) == 1):
        odd.append("")
    return [(key, text.count("\n", 0, at)) for key, at in rows], odd


def _entries(section: str, node: Any) -> Iterator[tuple[Key, Any]]:
    """Yield the entries of a list, by the names under which they were imported."""
    items = node.kids if isinstance(node.kids, list) else []
    own = KINDS.get(section, "name")
    if not all(isinstance(item.node.value, dict) and own in item.node.value for item in items):
        return
    names = {str(item.node.value[own]) for item in items}
    seen = Counter[str]()
    for item in items:
        before = item.node.value.get("renamedFrom")
        name = str(item.node.value[own]) if before is None or before in names else str(before)
        yield (section, name, str(seen[name])), item
        seen[name] += 1


def _before(text: str, at: int) -> str:
    """Return what is before a place in its line."""
    return text[text.rfind("\n", 0, at) + 1 : at]


def _begins_line(text: str, at: int) -> bool:
    return re.fullmatch(r"\s*(-\s+)?", _before(text, at)) is not None


def _pieces(document: Document, starts: Sequence[tuple[Key, int]]) -> dict[Key, Piece]:
    """Return the pieces of a text, each with the comments before it."""
    written = lines(document.text)
    firsts = [0]
    for _, line in starts[1:]:
        column = len(written[line]) - len(written[line].lstrip(" "))
        while line - 1 > firsts[-1] and re.match(rf" {{0,{column}}}#", written[line - 1]):
            line -= 1
        firsts.append(line)
    pieces: dict[Key, Piece] = {}
    for (key, _), start, stop in zip(starts, firsts, [*firsts[1:], len(written)], strict=True):
        text = "".join(written[start:stop])
        own = text.rstrip("\n")
        gap = text[len(own) + 1 :] if stop < len(written) else None
        if document.is_flow("") and key != ("",):
            own = own.removesuffix(",")
        pieces[key] = Piece(start, f"{own}\n" if own else "", gap)
    return pieces


def _ordered(*sides: Mapping[Key, Piece]) -> Iterator[Key]:
    """Yield the keys of all pieces: top-level keys, each with its entries."""
    for top in _order(*([key for key in side if len(key) == 1] for side in sides)):
        yield top
        yield from _order(
            *([key for key in side if len(key) > 1 and key[0] == top[0]] for side in sides)
        )


def _order(old: Sequence[Key], mine: Sequence[Key], other: Sequence[Key]) -> list[Key]:
    """Return the keys of both sides, in our order if we changed it, and else in the other."""
    is_moved = [key for key in mine if key in old] != [key for key in old if key in mine]
    result, more = ([*mine], other) if is_moved else ([*other], mine)
    at = 0
    for key in more:
        if key not in result:
            result.insert(at, key)
        at = result.index(key) + 1
    return result


def _gap(old: Piece | None, mine: Piece | None, other: Piece | None) -> str | None:
    """Return the empty lines after a piece."""
    ours, theirs = mine.gap if mine else None, other.gap if other else None
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    return theirs if old and ours == old.gap else ours


def _joined(rows: Sequence[tuple[Key, str, str | None]], is_json: bool) -> str:
    """Return the text of pieces, with the commas of JSON between them."""
    text = ""
    for (_, own, gap), after in zip(rows, [*rows[1:], None], strict=True):
        text += own
        if after is None:
            break
        is_closed = after[0][-1] in (_CLOSING, "}")
        if is_json and not is_closed and not own.rstrip().endswith(("[", "{", ">")):
            text = text.removesuffix("\n") + ",\n"
        text += gap if gap is not None else "" if is_json or is_closed else "\n"
    return text
