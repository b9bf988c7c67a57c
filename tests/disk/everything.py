"""A run that does everything a run can do, on a project that a person has edited."""

from __future__ import annotations

from pathlib import Path

from tests.disk.regenerated import GENERATED, MERGED, OWNED, new, regenerate, rendered

_LAST = [
    rendered(GENERATED, "updated.txt", "1\n"),
    rendered(GENERATED, "edited.txt", "1\n"),
    rendered(GENERATED, "unused/deep/deleted.txt", "1\n"),
    rendered(MERGED, "merged.txt", "1\n2\n3\n"),
    rendered(MERGED, "no longer merged.txt", "1\n"),
    rendered(OWNED, "tools/old.py", "stub\n"),
    rendered(OWNED, "tools/orphan.py", "stub\n"),
]
_WANTED = [
    rendered(GENERATED, "updated.txt", "2\n"),
    rendered(GENERATED, "edited.txt", "2\n"),
    rendered(GENERATED, "new/deep/created.txt", "2\n"),
    rendered(MERGED, "merged.txt", "1\n2\n3 new\n"),
    rendered(GENERATED, "no longer merged.txt", "2\n"),
    rendered(OWNED, "package/tools/new.py", "another stub\n"),
]
_EDITS = {
    "edited.txt": "mine\n",
    "merged.txt": "1 mine\n2\n3\n",
    "tools/old.py": "my handler\n",
    "tools/orphan.py": "my other handler\n",
}
REGENERATED = {
    "edited.txt": "2\n",
    "edited.txt.orig": "mine\n",
    "merged.txt": "1 mine\n2\n3 new\n",
    "new/deep/created.txt": "2\n",
    "no longer merged.txt": "2\n",
    "package/tools/new.py": "my handler\n",
    "tools/orphan.py": "my other handler\n",
    "updated.txt": "2\n",
}
"""The files after the run."""


def edited_project(folder: Path) -> None:
    """Make the project, and edit it."""
    new(folder, *_LAST)
    for path, text in _EDITS.items():
        (folder / path).write_text(text)


def run(root: Path) -> None:
    """Do the run."""
    moved = {"tools/old.py": "package/tools/new.py"}
    regenerate(root, *_WANTED, renames=moved, force=["edited.txt"])
