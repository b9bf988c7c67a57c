"""The decision table: what to do with a file, given the hashes of its three states."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scaffold.files import Owner


class Action(StrEnum):
    """What a run does with one path; the first five change the disk."""

    CREATE = "create"
    UPDATE = "update"
    MERGE = "merge"
    MOVE = "move"
    DELETE = "delete"
    UNCHANGED = "unchanged"
    KEEP = "keep"
    FORGET = "forget"
    ORPHAN = "orphan"
    CONFLICT = "conflict"

    @property
    def writes(self) -> bool:
        """Whether the action changes a file."""
        return self in (self.CREATE, self.UPDATE, self.MERGE, self.MOVE, self.DELETE)


class Decision(NamedTuple):
    """An action and its reason, a phrase that follows the path in messages."""

    action: Action
    reason: str


NEW = Decision(Action.CREATE, "is new")
AGAIN = Decision(Action.CREATE, "was deleted, but the project needs it")
DELETED = Decision(Action.KEEP, "was deleted by you")
SAME = Decision(Action.UNCHANGED, "is as wanted")
NOT_OURS = Decision(Action.CONFLICT, "is there already, and mcp-scaffold did not write it")
YOURS = Decision(Action.KEEP, "is yours")
CHANGED = Decision(Action.UPDATE, "changed in the spec or the template")
EDITED = Decision(Action.CONFLICT, "is generated, but was edited by hand")
BOTH = Decision(Action.MERGE, "was changed by you and by the template")
UNTOUCHED = Decision(Action.DELETE, "is no longer asked for, and was never edited")
LEFT = Decision(Action.ORPHAN, "is no longer asked for, but may hold your work")
GONE = Decision(Action.FORGET, "is no longer asked for, and was deleted already")

# Decisions that need more than the three hashes.
OVERLAP = Decision(Action.CONFLICT, "was changed by you and by the template in the same lines")
UNRESOLVED = Decision(Action.CONFLICT, "still holds the markers of an earlier conflict")
NO_BASE = Decision(Action.CONFLICT, "was changed by you, and the text to merge from is lost")
NOT_UTF8 = Decision(Action.CONFLICT, "was changed by the template, but yours is not UTF-8")
BLOCKED = Decision(Action.CONFLICT, "is there already, where another file is to go")
TAKEN = Decision(Action.CONFLICT, "has another use for `{name}`, the new name of its function")
PACKAGE = Decision(Action.KEEP, "is a package now")
LAID_OUT = Decision(Action.KEEP, "is as wanted, laid out by another tool")
MERGED = Decision(Action.MERGE, "was left between markers by git, and both sides agree")
ALREADY = Decision(Action.KEEP, "has the template's change already")

_TABLE = {
    # W: wanted, L: as written last, D: anything else, -: missing
    # wanted, last, on disk: generated, merged, owned
    "W - -": (NEW, NEW, NEW),
    "W L -": (AGAIN, DELETED, AGAIN),
    "W - W": (SAME, SAME, SAME),
    "W L W": (SAME, SAME, SAME),
    "W - D": (NOT_OURS, NOT_OURS, YOURS),
    "W L L": (CHANGED, CHANGED, CHANGED),
    "W L D": (EDITED, BOTH, YOURS),
    "- L -": (GONE, GONE, GONE),
    "- L L": (UNTOUCHED, LEFT, UNTOUCHED),
    "- L D": (LEFT, LEFT, LEFT),
}
_COLUMNS = tuple(Owner)


def decide(owner: Owner, wanted: str | None, last: str | None, disk: str | None) -> Decision:
    """Look up what to do with a file by the hashes of its three states.

    At least one of `wanted` and `last` is given. If the template has not changed, an edited file is
    kept: there is nothing to merge.
    """
    found = "-" if disk is None else {last: "L", wanted: "W"}.get(disk, "D")
    row = f"{'W' if wanted else '-'} {'L' if last else '-'} {found}"
    decision = _TABLE[row][_COLUMNS.index(owner)]
    return YOURS if decision is BOTH and wanted == last else decision
