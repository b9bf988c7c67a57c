"""A small project on disk, and what `new` and `regenerate` do to it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import Owner, RelPath, RenderedFile, RenderedFiles
from scaffold.disk.apply import apply, recover
from scaffold.disk.create import create
from scaffold.disk.lock import Lock, read
from scaffold.disk.moves import Renames
from scaffold.disk.plan import Plan, make_plan
from scaffold.disk.step import Step
from scaffold.languages.python import modules as python
from tests.files import contents

GENERATED, MERGED, OWNED = Owner.GENERATED, Owner.MERGED, Owner.OWNED


def rendered(
    owner: Owner, path: str, text: str, about: str | None = None, executable: bool = False
) -> RenderedFile:
    kind = "tool" if about else None
    return RenderedFile(RelPath(path), owner, text, f"{path}.j2", about, executable, kind)


def new(root: Path, *files: RenderedFile) -> None:
    wanted = RenderedFiles.of(files)
    create(wanted, Lock.of(wanted, "1", {}), root)


def plan(root: Path, *files: RenderedFile, renames: Mapping[str, str] | None = None) -> Plan:
    moves = {RelPath(old): RelPath(new) for old, new in (renames or {}).items()}
    return make_plan(RenderedFiles.of(files), read(root), root, python, Renames(moves))


def regenerate(
    root: Path,
    *files: RenderedFile,
    renames: Mapping[str, str] | None = None,
    force: Collection[str] = (),
    accept: bool = False,
) -> tuple[Step, ...]:
    """What the command does: recover, plan, apply. Raises ScaffoldError if there are conflicts."""
    recover(root)
    planned = plan(root, *files, renames=renames)
    taken = apply(planned, root, planned.relocked("1", {}), {RelPath(p) for p in force}, accept)
    if taken is None:
        raise ScaffoldError(step.problem for step in planned.conflicts if step.problem)
    return taken


def texts(root: Path) -> dict[str, str]:
    """Every file of the project but our records, line ends as they are."""
    return {
        path: data.decode("utf-8", "surrogateescape")
        for path, data in contents(root).items()
        if not path.startswith(".scaffold/")
    }


def problems(work: Callable[[], object]) -> list[tuple[str, str]]:
    """The ids and places of what the work is refused for."""
    with pytest.raises(ScaffoldError) as raised:
        work()
    return [(d.id, d.place.path if d.place else "") for d in raised.value.diagnostics]
