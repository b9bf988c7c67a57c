"""Watch a project for saved changes of its inputs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.records import PACK
from scaffold.files import SPEC, RelPath
from scaffold.inputs import TEMPLATES
from scaffold.yaml.source import read


def saves(root: Path) -> Iterator[None]:
    """Yield once now, and after each change of the spec, the files it names, and templates.

    Saves in quick succession are one change. Ends when the project is gone. Raises ScaffoldError
    (`cannot-watch`) if the system cannot report changes.
    """
    from watchfiles import watch  # a compiled package that only this command needs

    while True:
        files = [*_inputs(root)]
        seen = _stamps(files)
        yield
        folders = [folder for folder in {root, *(file.parent for file in files)} if folder.is_dir()]
        if not folders:
            return
        try:  # checks every second, to catch saves made before the watch began
            for _ in watch(*folders, recursive=False, rust_timeout=1000, yield_on_timeout=True):
                if _stamps(files) != seen:
                    break
        except OSError as error:
            if not root.is_dir():  # removed just before the watch began
                return
            message = f"cannot watch for changes: {error.strerror or error}"
            hint = "set WATCHFILES_FORCE_POLLING=true to poll for them"
            raise ScaffoldError.of("cannot-watch", message, root, hint) from error


def _stamps(files: Iterable[Path]) -> list[tuple[int, int] | None]:
    """Return values that change when a file is saved; None for a missing file."""
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
    """Yield the files that the spec names, as far as it can be read."""
    try:
        resources = [resource for _, resource in read(root / SPEC).mappings("resources")]
    except ScaffoldError:
        return
    for resource in resources:
        try:
            yield RelPath(str(resource["file"]))
        except (KeyError, ValueError):
            continue
