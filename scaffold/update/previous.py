"""The spec that a project was last generated from."""

from __future__ import annotations

from pathlib import Path

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.lock import Lock
from scaffold.disk.merge import split
from scaffold.disk.records import LAST_SPEC
from scaffold.disk.tree import Tree
from scaffold.files import SPEC
from scaffold.project.check import load
from scaffold.spec.check import LoadedSpec
from scaffold.yaml.source import parse


def previous(root: Path, lock: Lock, now: LoadedSpec) -> LoadedSpec | None:
    """Return the spec that the project was last generated from; None if it is lost."""
    found = Tree(root).read(LAST_SPEC)
    text = found.text() if found and found.sha256 == lock.inputs.get(SPEC) else None
    if text is None and found and not lock.intact:  # git has merged two branches
        text = found.text()
        text = next(iter(split(text) or ()), text) if text else None
    if text is None or text == now.document.text:
        return None if text is None else now
    return _loaded(text)


def altered(root: Path) -> LoadedSpec | None:
    """Return the recorded spec although another tool changed it; None if missing or invalid."""
    found = Tree(root).read(LAST_SPEC)
    text = found.text() if found else None
    return None if text is None else _loaded(text)


def _loaded(text: str) -> LoadedSpec | None:
    try:
        return load(parse(text))
    except ScaffoldError:  # an older version may have accepted it
        return None
