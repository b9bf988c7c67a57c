"""The decision table: what to do with a file, given the hashes of its three states."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from scaffold.base.files import Owner


class Action(StrEnum):
    """An action on one path; the first five change the disk."""

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
    """An action and its reason, a phrase that follows the path in messages.

    A conflict also has the id of its diagnostic, and a hint.
    """

    action: Action
    reason: str
    id: str = ""
    hint: str = ""


def _conflict(id: str, reason: str, hint: str) -> Decision:
    return Decision(Action.CONFLICT, reason, id, hint)


_FORCE = "or run with --force {path} (saves your version as .orig)"


NEW = Decision(Action.CREATE, "is new")
AGAIN = Decision(Action.CREATE, "was deleted, but the project needs it")
DELETED = Decision(Action.KEEP, "was deleted by you")
SAME = Decision(Action.UNCHANGED, "is up to date")
NOT_OURS = _conflict(
    "not-ours", "already exists, and was not written by mcp-scaffold", f"move it away, {_FORCE}"
)
YOURS = Decision(Action.KEEP, "is yours")
CHANGED = Decision(Action.UPDATE, "changed in the spec or the template")
CHANGED_BIT = Decision(Action.UPDATE, "has another executable bit than its template")
EDITED = _conflict(
    "edited",
    "is generated, but was modified",
    f"undo the edit that `mcp-scaffold regenerate --diff` shows, {_FORCE}",
)
BOTH = Decision(Action.MERGE, "was changed by you and by the template")
UNTOUCHED = Decision(Action.DELETE, "is no longer generated, and was never edited")
LEFT = Decision(Action.ORPHAN, "is no longer generated, but may contain your work")
GONE = Decision(Action.FORGET, "is no longer generated, and already deleted")

# Decisions that depend on more than the three hashes.
OVERLAP = _conflict(
    "conflict",
    "was changed by you and by the template in the same lines",
    "run with --accept-conflicts to write both versions with merge markers",
)
UNRESOLVED = _conflict(
    "conflict", "still contains merge markers", "resolve the conflicts, then run again"
)
NO_BASE = _conflict(
    "conflict",
    "was changed by you, and its base in .scaffold/bases.bin is missing",
    "restore it from version control, or run with --accept-conflicts",
)
TAKEN_OVER = _conflict(
    "edited",
    "contains your changes, but is generated from now on",
    f"move your changes elsewhere, {_FORCE}",
)
NOT_UTF8 = _conflict(
    "conflict", "was changed by the template, but is not UTF-8", f"save it as UTF-8, {_FORCE}"
)
BLOCKED = _conflict(
    "no-room",
    "already exists, but another file should move there",
    "move or remove it, or move `{source}` away, then run again",
)
TAKEN = _conflict(
    "name-taken",
    "uses `{name}`, the new name of its function, for something else",
    "rename the other use of `{name}`, then run again",
)
PACKAGE = Decision(Action.KEEP, "is a package now")
ALREADY = Decision(Action.KEEP, "already has the template's change")

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
    state = "-" if disk is None else {last: "L", wanted: "W"}.get(disk, "D")
    row = f"{'W' if wanted else '-'} {'L' if last else '-'} {state}"
    decision = _TABLE[row][_COLUMNS.index(owner)]
    return YOURS if decision is BOTH and wanted == last else decision
