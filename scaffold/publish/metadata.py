"""Bring everything that publishing needs up to date with the spec, and repair what is damaged."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Edit, Place
from scaffold.disk.save import save
from scaffold.files import RelPath
from scaffold.fixing import applied
from scaffold.publish.check import findings, wanted
from scaffold.publish.subject import Subject, subject
from scaffold.regenerate import Regenerated, regenerate
from scaffold.yaml.source import load

ROUNDS = 5
"""The maximum number of times that a project is checked again: a bundle's hash changes with it."""


def update(root: Path) -> Regenerated:
    """Regenerate a project, with the files for publishing that are missing.

    Raises ScaffoldError as `regenerate` does.
    """
    return regenerate(root, _missing(subject(root)), accept_conflicts=False)


def _missing(found: Subject) -> list[RelPath]:
    return [RelPath(path) for path in wanted(found) if not (found.root / path).is_file()]


def repair(root: Path) -> tuple[Diagnostic, ...]:
    """Apply the fixes of what is wrong with a project, and return what was fixed.

    Raises ScaffoldError if a file cannot be written.
    """
    fixed: list[Diagnostic] = []
    for _ in range(ROUNDS):
        again = [one for one in findings(subject(root)) if one.fix and one.place]
        if not again:
            break
        _apply(again)
        fixed += again
    return tuple(fixed)


def _apply(found: Iterable[Diagnostic]) -> None:
    """Apply fixes to the files that they are about; of two that overlap, only the first."""
    by_path: dict[str, list[Diagnostic]] = {}
    for one in found:
        assert isinstance(one.place, Place)
        by_path.setdefault(one.place.path, []).append(one)
    for path, some in by_path.items():
        file = load(Path(path), path)
        edits: list[Edit] = []
        for edit in (edit for one in some if one.fix for edit in one.fix.edits):
            if not any(edit.start <= other.end and other.start <= edit.end for other in edits):
                edits.append(edit)
        save(Path(path), file.encode(applied(file.text, edits)), file.encode(file.text))
