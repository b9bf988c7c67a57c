"""Watch a project for saved changes of its inputs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import SPEC, RelPath
from scaffold.disk.records import PACK
from scaffold.project.inputs import TEMPLATES
from scaffold.yaml.source import read

WATCHED = f"{SPEC}, the files it names and {TEMPLATES}/"
"""What `saves` watches, for people."""


def saves(root: Path, more: Callable[[], Iterable[Path]] = tuple) -> Iterator[None]:
    """Yield once now, and after each change of the spec, the files it names, templates and `more`.

    Saves in quick succession are one change. Ends when the project is gone. Raises ScaffoldError
    (`cannot-watch`) if the system cannot report changes.
    """
    from watchfiles import watch  # a compiled package that only this needs

    while True:
        files = [*_inputs(root)]
        seen = stamps([*files, *more()])
        yield
        parents = {file.parent for file in (*files, *more())}
        folders = [folder for folder in {root, *parents} if folder.is_dir()]
        if not folders:
            return
        try:  # checks every second, to catch saves made before the watch began
            for _ in watch(*folders, recursive=False, rust_timeout=1000, yield_on_timeout=True):
                if stamps([*files, *more()]) != seen:
                    break
        except OSError as error:
            if not root.is_dir():  # removed just before the watch began
                return
            message = f"cannot watch for changes: {error.strerror or error}"
            hint = "set WATCHFILES_FORCE_POLLING=true to poll for them"
            raise ScaffoldError.of("cannot-watch", message, root, hint) from error


def stamps(files: Iterable[Path]) -> dict[Path, tuple[int, int] | None]:
    """Return values that change when a file is saved; None for a missing file."""
    found: dict[Path, tuple[int, int] | None] = {}
    for file in files:
        try:
            status = file.stat()
            found[file] = (status.st_mtime_ns, status.st_size)
        except OSError:
            found[file] = None
    return found


def _inputs(root: Path) -> Iterator[Path]:
    yield root / SPEC
    yield from (root / name for name in _named(root))
    yield from skills(root)
    for pack in (root / TEMPLATES, root / PACK):
        yield pack
        for folder, folders, names in os.walk(pack):
            yield from (Path(folder, name) for name in (*folders, *names))


def skills(root: Path) -> Iterator[Path]:
    """Yield the files of skills, which the server reads when it starts."""
    try:
        value = read(root / SPEC).value
        path = RelPath.beside(str(value.get("skills", "") if isinstance(value, dict) else ""))
    except (ScaffoldError, ValueError):
        return
    yield from (root / path).rglob("*")


def _named(root: Path) -> Iterator[RelPath]:
    """Yield the files that the spec names, as far as it can be read."""
    try:
        document = read(root / SPEC)
    except ScaffoldError:
        return
    named = [resource.get("file") for _, resource in document.mappings("resources")]
    pages = [tool.get("ui") for _, tool in document.mappings("tools")]
    named += [page.get("file") for page in pages if isinstance(page, dict)]
    for name in named:
        with suppress(ValueError):
            yield RelPath.beside(str(name or ""))
