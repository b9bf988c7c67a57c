"""Two runs at once on one project: one waits for the other, or says why not."""

from __future__ import annotations

import os
import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.apply import apply, exclusive
from scaffold.disk.lock import read
from scaffold.files import RenderedFile
from tests.disk.processes import ended, started
from tests.disk.regenerated import (
    GENERATED,
    MERGED,
    OWNED,
    contents,
    new,
    plan,
    regenerate,
    rendered,
    texts,
)

TIMES = int(os.environ.get("MCP_SCAFFOLD_RACES", "100"))


def files(version: int) -> list[RenderedFile]:
    text = f"{version}\n" * 20
    tool = rendered(OWNED, f"tools/{version}.py", text)
    return [rendered(GENERATED, "a.txt", text), rendered(MERGED, "b.txt", text), tool]


def run(root: Path, version: int, turn: bool) -> int:
    """Regenerate the project: 0, or 1 where another run came between, or 2."""
    try:
        with exclusive(root) if turn else nullcontext():
            regenerate(root, *files(version))
    except ScaffoldError as error:
        return 1 if {d.id for d in error.diagnostics} == {"changed-meanwhile"} else 2
    return 0


@pytest.mark.parametrize("turn", [True, False], ids=["taking turns", "each planning on its own"])
def test_two_runs_at_once_leave_the_project_of_one_of_them(root: Path, turn: bool) -> None:
    new(root, *files(0))
    for n in range(1, TIMES + 1):
        rivals = (2 * n, 2 * n + 1)
        children = [started(partial(run, root, version, turn)) for version in rivals]
        codes = [ended(child) for child in children]
        assert sorted(codes) in ([[0, 0]] if turn else [[0, 0], [0, 1]])
        done = [v for v in rivals if {f.path: f.text for f in files(v)} == texts(root)]
        assert len(done) == 1
        assert not plan(root, *files(done[0])).writes
        assert read(root) == plan(root, *files(done[0])).relocked("1", {})


def test_a_run_waits_for_another_and_says_when_it_has_waited_enough(root: Path) -> None:
    new(root, *files(0))
    ready, go = os.pipe()

    def hold() -> int:
        with exclusive(root):
            os.write(go, b".")
            time.sleep(0.5)
        return 0

    child = started(hold)
    os.read(ready, 1)
    with pytest.raises(ScaffoldError) as raised, exclusive(root, patience=0.1):
        pass
    assert [d.id for d in raised.value.diagnostics] == ["busy"]
    with exclusive(root):
        assert ended(child) == 0


def test_a_run_inside_a_turn_does_not_wait_for_itself(root: Path) -> None:
    new(root, *files(0))
    with exclusive(root):
        regenerate(root, *files(1))
    with exclusive(root, patience=0):
        pass
    assert texts(root)["a.txt"] == files(1)[0].text


def test_a_run_that_has_nothing_to_write_needs_no_turn(root: Path) -> None:
    new(root, *files(0))
    before = contents(root)
    regenerate(root, *files(0))
    assert contents(root) == before
    assert not (root / ".scaffold/run").exists()


def test_a_plan_from_before_another_run_is_refused(tmp_path: Path) -> None:
    """Though each file that it would write is as it was then."""
    root = tmp_path / "project"
    first, mine, theirs = (rendered(GENERATED, f"{name}.txt", "1\n") for name in "abc")
    new(root, first)
    made = plan(root, first, mine)
    regenerate(root, first, theirs)
    before = contents(root)
    with pytest.raises(ScaffoldError) as raised:
        apply(made, root, made.relocked("1", {}))
    assert [found.id for found in raised.value.diagnostics] == ["changed-meanwhile"]
    assert contents(root) == before
