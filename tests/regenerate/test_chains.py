"""A file that moves to where another one moves away from: in order, or not at all."""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path
from unittest import mock

import pytest

from scaffold.disk.apply import recover
from scaffold.disk.lock import read
from tests.disk.processes import killed
from tests.disk.regenerated import OWNED, contents, new, regenerate, rendered, texts

A, B, C = "a.py", "b.py", "c.py"
LAST = [rendered(OWNED, path, f"stub of {path}\n") for path in (A, B)]
WANTED = [rendered(OWNED, path, f"new stub of {path}\n") for path in (A, B, C)]
RENAMES = {A: B, B: C}
DONE = {A: "new stub of a.py\n", B: "mine, first in a\n", C: "mine, first in b\n"}


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    new(root, *LAST)
    (root / A).write_text(DONE[B])
    (root / B).write_text(DONE[C])
    return root


def is_done(root: Path) -> bool:
    """Whether the lock says that the files have moved, so that nothing is to be renamed."""
    lock = read(root)
    return lock is not None and C in lock.files


def run(root: Path) -> None:
    regenerate(root, *WANTED, renames=RENAMES)


def test_each_file_goes_one_on_and_what_is_left_is_filled(chain: Path) -> None:
    run(chain)
    assert texts(chain) == DONE
    before = contents(chain)
    regenerate(chain, *WANTED)
    assert contents(chain) == before


@pytest.mark.parametrize("edited", [None, A, B, C])
def test_whenever_the_run_is_killed_and_whatever_is_edited_then_no_text_is_lost(
    chain: Path, tmp_path: Path, edited: str | None
) -> None:
    kills = 0
    with mock.patch("os.fsync"):
        for instant in count():
            root = tmp_path / "again"
            shutil.copytree(chain, root)
            if not killed(lambda: run(root), instant):  # noqa: B023 - called at once
                break
            kills += 1
            mine = {DONE[B], DONE[C]}
            if edited:
                old = (root / edited).read_text() if (root / edited).exists() else ""
                (root / edited).write_text(f"edited, {old}")
                mine.add(f"edited, {old}")
            recover(root)
            there = "".join(texts(root).values())
            assert all(text in there for text in mine), instant
            if not edited:
                regenerate(root, *WANTED, renames={} if is_done(root) else RENAMES)
                assert texts(root) == DONE
            shutil.rmtree(root)
    assert kills > 15
