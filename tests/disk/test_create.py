"""`new` makes a whole project or nothing."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from functools import partial
from pathlib import Path
from unittest import mock

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import Owner, RelPath, RenderedFile, RenderedFiles
from scaffold.disk.create import create
from scaffold.disk.lock import Lock, packed, read
from tests.disk.processes import ended, killed, started
from tests.files import contents

FILES = RenderedFiles.of(
    [
        RenderedFile(RelPath("README.md"), Owner.MERGED, "# Blog ✓\n", "README.md.jinja"),
        RenderedFile(RelPath("run"), Owner.GENERATED, "#!/bin/sh\n", "run.jinja", executable=True),
        RenderedFile(RelPath("src/a.py"), Owner.OWNED, "pass\n", "tool.py.jinja", about="a"),
    ]
)
LOCK = Lock.of(FILES, "1.0", {"mcp.yaml": "0" * 64})


WHOLE = {
    ".scaffold/bases.bin": packed({RelPath("README.md"): "# Blog ✓\n"}),
    ".scaffold/lock.json": LOCK.text().encode(),
    "README.md": "# Blog ✓\n".encode(),
    "run": b"#!/bin/sh\n",
    "src/a.py": b"pass\n",
}


def test_the_files_the_lock_and_the_merge_bases_are_written(tmp_path: Path) -> None:
    create(FILES, LOCK, tmp_path / "a/blog")
    assert contents(tmp_path / "a/blog") == WHOLE
    assert read(tmp_path / "a/blog") == LOCK
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["blog"]


def test_new_files_have_the_default_permissions(tmp_path: Path) -> None:
    umask = os.umask(0o027)
    try:
        create(FILES, LOCK, tmp_path / "blog")
    finally:
        os.umask(umask)
    modes = {
        p: stat.S_IMODE((tmp_path / "blog" / p).stat().st_mode) for p in (".", "run", "src/a.py")
    }
    assert modes == {".": 0o750, "run": 0o750, "src/a.py": 0o640}


def test_the_current_directory_is_filled_and_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may hold a new git repository."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main\n")
    create(FILES, LOCK, Path())
    assert contents(Path()) == {**WHOLE, ".git/HEAD": b"ref: refs/heads/main\n"}


@pytest.mark.parametrize("is_there", [False, True])
def test_a_run_killed_at_any_instant_leaves_no_project_or_a_complete_one(
    tmp_path: Path, is_there: bool
) -> None:
    """In an empty folder, the next run undoes it first."""
    with mock.patch("os.fsync"):
        for instant in itertools.count():
            dest = tmp_path / f"at {instant}"
            if is_there:
                dest.mkdir()
            dead = killed(partial(create, FILES, LOCK, dest), instant)
            assert is_there or not dest.exists() or contents(dest) == WHOLE
            with contextlib.suppress(ScaffoldError):  # it is whole already
                create(FILES, LOCK, dest)
            assert contents(dest) == WHOLE
            if not dead:
                break
    assert instant > 10


def test_only_one_of_two_simultaneous_runs_creates_the_project(tmp_path: Path) -> None:
    def race(dest: Path) -> int:
        try:
            create(FILES, LOCK, dest)
        except ScaffoldError as error:
            return 1 if [d.id for d in error.diagnostics] == ["dest-not-empty"] else 2
        return 0

    for n in range(20):
        children = [started(partial(race, tmp_path / str(n))) for _ in range(2)]
        codes = [ended(child) for child in children]
        assert sorted(codes) == [0, 1]
        assert contents(tmp_path / str(n)) == WHOLE
