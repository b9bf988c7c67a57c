"""A run may be killed at any instant: every file is whole, no text is lost, and all comes right."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from unittest import mock

import pytest

from scaffold.disk.apply import recover
from tests.disk.processes import killed
from tests.disk.regenerated import (
    GENERATED,
    MERGED,
    OWNED,
    new,
    problems,
    regenerate,
    rendered,
    texts,
)
from tests.files import contents

STRIDE = 48  # of the kills in a recovery: each is met after some kills of the run

LAST = [
    rendered(GENERATED, "updated.txt", "1\n"),
    rendered(GENERATED, "edited.txt", "1\n"),
    rendered(GENERATED, "unused/deep/deleted.txt", "1\n"),
    rendered(MERGED, "merged.txt", "1\n2\n3\n"),
    rendered(MERGED, "no longer merged.txt", "1\n"),
    rendered(OWNED, "tools/a.py", "stub\n"),
    rendered(OWNED, "tools/b.py", "stub\n"),
    rendered(OWNED, "tools/orphan.py", "stub\n"),
    rendered(OWNED, "tools/p.py", "stub\n"),
]
WANTED = [
    rendered(GENERATED, "updated.txt", "2\n"),
    rendered(GENERATED, "edited.txt", "2\n"),
    rendered(GENERATED, "new/deep/created.txt", "2\n"),
    rendered(MERGED, "merged.txt", "1\n2\n3 new\n"),
    rendered(GENERATED, "no longer merged.txt", "2\n"),
    rendered(OWNED, "tools/a.py", "new stub\n"),
    rendered(OWNED, "tools/b.py", "new stub\n"),
    rendered(OWNED, "package/tools/c.py", "another stub\n"),
    rendered(OWNED, "tools/q.py", "stub\n"),
]
RENAMES = {
    "tools/a.py": "tools/b.py",
    "tools/b.py": "package/tools/c.py",
    "tools/p.py": "tools/q.py",
}
MINE = {
    "edited.txt": "mine\n",
    "merged.txt": "1 mine\n2\n3\n",
    "tools/a.py": "handler, first in a\n",
    "tools/b.py": "handler, first in b\n",
    "tools/orphan.py": "handler without a tool\n",
    "tools/p/__init__.py": "handler that is a package\n",
    "tools/p/words.txt": "its words\n",
}
"""What a person has written before the run."""

DONE = {
    "edited.txt": "2\n",
    "edited.txt.orig": "mine\n",
    "merged.txt": "1 mine\n2\n3 new\n",
    "new/deep/created.txt": "2\n",
    "no longer merged.txt": "2\n",
    "package/tools/c.py": "handler, first in b\n",
    "tools/a.py": "new stub\n",
    "tools/b.py": "handler, first in a\n",
    "tools/orphan.py": "handler without a tool\n",
    "tools/q/__init__.py": "handler that is a package\n",
    "tools/q/words.txt": "its words\n",
    "updated.txt": "2\n",
}
"""The files after a run that does everything that a run can do."""


def run(root: Path) -> None:
    """Do the run; once it is done, nothing is to be renamed."""
    recover(root)
    is_done = "package/tools/c.py" in (root / ".scaffold/lock.json").read_text()
    regenerate(root, *WANTED, renames={} if is_done else RENAMES, force=["edited.txt"])


@pytest.fixture
def before(tmp_path: Path) -> Path:
    folder = tmp_path / "before"
    new(folder, *LAST)
    (folder / "tools/p.py").unlink()
    (folder / "tools/p").mkdir()
    for path, text in MINE.items():
        (folder / path).write_text(text)
    return folder


def instants(
    start: Path, root: Path, work: Callable[[Path], object], tried: Iterable[int] | None = None
) -> Iterator[int]:
    """Kill the work at each instant, on a copy at `root` of the project `start`."""
    for instant in tried or itertools.count():
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(start, root)
        with mock.patch("os.fsync"):  # which guards against power cuts, not kills
            if not killed(lambda: work(root), instant):
                return
        yield instant


def test_a_run_killed_at_any_instant_and_again_during_recovery_completes(
    before: Path, tmp_path: Path
) -> None:
    root, again = tmp_path / "root", tmp_path / "again"
    kills = 0

    def comes_right(root: Path) -> None:
        for path, text in texts(root).items():
            assert text in (MINE.get(path), DONE.get(path), "1\n", "stub\n"), f"{path} is torn"
        run(root)
        assert texts(root) == DONE

    for first in instants(before, root, run):
        kills += 1
        for _ in instants(root, again, recover, range(first % STRIDE, 99, STRIDE)):
            comes_right(again)
        comes_right(root)
    assert kills > 50


def test_edits_made_after_a_kill_are_never_lost(before: Path, tmp_path: Path) -> None:
    """What an interrupted run had replaced is kept in `.scaffold/run` if it cannot be restored."""
    root = tmp_path / "root"
    for instant in instants(before, root, run):
        edited = {}
        for name in ("merged.txt", "tools/b.py", "tools/p/__init__.py"):
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            edited[file] = f"{name}, edited, {file.read_text() if file.exists() else ''}"
            file.write_text(edited[file])
        recover(root)
        there = b"".join(contents(root).values()).decode(errors="replace")
        for mine in ("1 mine\n", *(t for t in MINE.values() if t[0] != "1"), *edited.values()):
            assert mine in there, (instant, mine)
        assert {file: file.read_text() for file in edited} == edited


def test_a_full_disk_leaves_the_project_unchanged_and_is_reported(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new(root, rendered(GENERATED, "a.txt", "1\n"))
    before = contents(root)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        assert problems(lambda: regenerate(root, rendered(GENERATED, "a.txt", "2\n"))) == [
            ("cannot-write", str(root))
        ]
    assert contents(root) == before
    regenerate(root, rendered(GENERATED, "a.txt", "2\n"))
    assert texts(root) == {"a.txt": "2\n"}


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux which file is synced")
def test_data_is_synced_before_the_journal_and_files_before_it_is_removed(
    before: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[tuple[str, str]] = []
    sync, rename, remove = os.fsync, os.replace, os.unlink

    def log(what: str, file: str | Path) -> None:
        events.append((what, os.path.relpath(file, before)))

    def synced(handle: int) -> None:
        log("sync", os.readlink(f"/proc/self/fd/{handle}"))
        sync(handle)

    def renamed(source: Path, target: Path) -> None:
        log("rename", target)
        rename(source, target)

    def removed(file: Path, **options: int) -> None:
        if not options:  # and no file in a tree that is removed
            log("remove", file)
        remove(file, **options)

    monkeypatch.setattr("os.fsync", synced)
    monkeypatch.setattr("os.replace", renamed)
    monkeypatch.setattr("os.unlink", removed)
    run(before)
    journal = ".scaffold/run/journal.json"
    begun, ended = events.index(("rename", journal)), events.index(("remove", journal))
    staged = {path for what, path in events[:begun] if what == "sync"}
    assert {f".scaffold/run/stage/{number}" for number in range(8)} <= staged
    assert {".scaffold/run/stage", ".scaffold/run/stage/journal.json"} <= staged
    folders = {path for what, path in events[begun:ended] if what == "sync"}
    assert {".", "new", "new/deep", "package/tools", "tools", ".scaffold"} <= folders
