"""The journal of a run as values, validated as untrusted input."""

from __future__ import annotations

import json

from msgspec import Struct

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.carry import Carried
from scaffold.disk.records import JOURNAL, LOCK, STAGE, is_record
from scaffold.disk.tree import Tree
from scaffold.files import RelPath, is_reserved

_DEEPEST = 500  # folders


class Line(Struct, frozen=True):
    """One change in the journal, with hashes for contents.

    The new file waits at `staged`; the old one is kept at `kept`.
    """

    path: RelPath
    before: str | None
    after: str | None
    needs: RelPath | None
    staged: RelPath
    kept: RelPath

    @property
    def states(self) -> tuple[str | None, str | None]:
        """The hashes that the file can have unless someone has edited it."""
        return self.before, self.after


class Journal(Struct, frozen=True):
    """The changes of a run, and the hash of the lock it was planned from.

    What is `carried` moves first, unread.
    """

    lock: str | None
    lines: tuple[Line, ...]
    carried: tuple[Carried, ...] = ()

    @property
    def begun(self) -> bool:
        """Whether the run may have made changes."""
        return bool(self.lines or self.carried)

    @property
    def locks(self) -> set[str | None]:
        """The hashes that the project's lock can have during the run."""
        return {self.lock, *(line.after for line in self.lines if line.path == LOCK)}


def read(tree: Tree) -> Journal:
    """Read the journal; return an empty one if the run has not made changes yet.

    Raises ScaffoldError (`journal-broken`) if it is invalid.
    """
    found = tree.read(JOURNAL)
    if found is None:
        return Journal(None, ())
    try:
        match json.loads(found.data):
            case {
                "format": 2,
                "lock": str() | None as lock,
                "carried": list(moved),
                "changes": list(rows),
            }:
                lines = tuple(_line(number, row) for number, row in enumerate(rows))
                return Journal(lock, lines, tuple(map(_carried, moved)))
        raise ValueError("missing `format`, `lock`, `carried` or `changes`")
    except (ValueError, RecursionError) as error:
        message, hint = f"cannot undo an unfinished run: {error}", f"delete {JOURNAL} and run again"
        raise ScaffoldError.of("journal-broken", message, tree.root / JOURNAL, hint) from error


def _line(number: int, row: object) -> Line:
    match row:
        case {"path": str(path), "before": before, "after": after, "needs": needs} if (
            isinstance(before, str | None)
            and isinstance(after, str | None)
            and isinstance(needs, str | None)
        ):
            to = RelPath(path)
            if is_reserved(to) and not is_record(to):
                raise ValueError(f"{path!r} is not a file of the project")
            if to.count("/") > _DEEPEST:
                raise ValueError(f"the path of change {number} is too deep")
            needed = None if needs is None else RelPath(needs)
            staged, kept = RelPath(f"{STAGE}/{number}"), RelPath(f"{STAGE}/{number}.old")
            return Line(to, before, after, needed, staged, kept)
    raise ValueError(f"change {number} is invalid")


def _carried(row: object) -> Carried:
    match row:
        case [str(source), str(target)]:
            return Carried(source, target)
    raise ValueError(f"the move {row!r} is invalid")
