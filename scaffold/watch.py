"""Watch a project: tell whenever something that it is made from has been saved."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.disk.records import PACK
from scaffold.files import SPEC, RelPath
from scaffold.inputs import TEMPLATES
from scaffold.yaml.source import read


def saves(root: Path) -> Iterator[None]:
    """One item now, and one after each change of the spec, the files it names, and templates.

    What is saved within a moment is one change. Ends when the project is gone. Raises ScaffoldError
    (`cannot-watch`) where the system has no way to tell of changes.
    """
    from watchfiles import watch  # compiled, and of use to this command only

    while True:
        files = [*_inputs(root)]
        seen = _stamps(files)
        yield
        folders = [folder for folder in {root, *(file.parent for file in files)} if folder.is_dir()]
        if not folders:
            return
        try:  # the look every second is for what was saved before the watch began
            for _ in watch(*folders, recursive=False, rust_timeout=1000, yield_on_timeout=True):
                if _stamps(files) != seen:
                    break
        except OSError as error:
            if not root.is_dir():  # gone in the moment before the watch began
                return
            message = f"changes cannot be watched: {error.strerror or error}"
            hint = "WATCHFILES_FORCE_POLLING=true looks for them instead"
            found = Diagnostic("cannot-watch", message, Place(str(root)), hint)
            raise ScaffoldError([found]) from error


def _stamps(files: Iterable[Path]) -> list[tuple[int, int] | None]:
    """What changes when a file is saved, for each; None for one that is not there."""
    stamps: list[tuple[int, int] | None] = []
    for file in files:
        try:
            status = file.stat()
            stamps.append((status.st_mtime_ns, status.st_size))
        except OSError:
            stamps.append(None)
    return stamps


def _inputs(root: Path) -> Iterator[Path]:
    yield root / SPEC
    yield from (root / name for name in _named(root))
    for pack in (root / TEMPLATES, root / PACK):
        yield pack
        for folder, folders, names in os.walk(pack):
            yield from (Path(folder, name) for name in (*folders, *names))


def _named(root: Path) -> Iterator[RelPath]:
    """The files that the spec names, so far as it can be read."""
    try:
        resources = [resource for _, resource in read(root / SPEC).mappings("resources")]
    except ScaffoldError:
        return
    for resource in resources:
        try:
            yield RelPath(str(resource["file"]))
        except (KeyError, ValueError):
            continue
