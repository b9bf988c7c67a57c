"""A power cut at any instant, whatever the disk has kept by then: nothing that a person wrote is lost."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from scaffold.disk.apply import recover
from tests.disk.everything import edited_project, run
from tests.disk.power import Disk, laid_out, recorded
from tests.disk.regenerated import texts


@pytest.fixture
def before(tmp_path: Path) -> Path:
    folder = tmp_path / "before"
    edited_project(folder)
    return folder


def cuts(before: Path, after: Path) -> Iterator[tuple[int, Path]]:
    """The project as it may be found after a cut, at each instant of a run; `after` is whole."""
    shutil.copytree(before, after)
    operations = recorded(lambda: run(after), after, after.with_name("log"))
    assert {kind for kind, _, _ in operations} == {
        *("make", "create", "write", "link", "move", "exchange", "remove", "sync")
    }
    disk = Disk.at(before)
    root = after.with_name("cut")
    seen = set()
    for instant, operation in enumerate([*operations, None]):
        for is_lost in disk.ways(instant):
            left = disk.left(is_lost)
            if (state := frozenset(left.items())) not in seen:
                seen.add(state)
                laid_out(root, left)
                yield instant, root
                shutil.rmtree(root)
        if operation:
            disk.do(operation)


def test_whenever_the_power_is_cut_the_next_run_comes_right(before: Path, tmp_path: Path) -> None:
    after = tmp_path / "after"
    old = texts(before)
    with mock.patch("os.fsync"):  # only in what follows the cut
        for instant, root in cuts(before, after):
            wanted = texts(after)
            for path, text in texts(root).items():
                assert text in (old.get(path), wanted.get(path)), f"{path} is torn at {instant}"
            recover(root)
            there = {*texts(root).values()}
            for mine in ("mine\n", "my handler\n", "my other handler\n"):
                assert mine in there, f"lost at {instant}"
            assert any("1 mine\n" in text for text in there), f"lost at {instant}"
            run(root)
            assert texts(root) == wanted, f"not as it should be, cut at {instant}"
