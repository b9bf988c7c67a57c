"""Two runs at once on one project: one waits for the other, or says why not."""

from __future__ import annotations

import os
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import RenderedFile
from scaffold.disk.apply import apply, exclusive
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
