"""Two runs at once on one project: one waits for the other, or says why not."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.disk.apply import apply, exclusive, recover
from tests.disk.processes import ended, killed, started
from tests.disk.regenerated import GENERATED, new, plan, regenerate, rendered, texts
from tests.files import contents


def test_a_run_waits_for_another_until_a_time_limit(root: Path) -> None:
    new(root, rendered(GENERATED, "a.txt", "1\n"))
    (ready, go), (enough, end) = os.pipe(), os.pipe()

    def hold() -> int:
        with exclusive(root):
            os.write(go, b".")
            os.read(enough, 1)
        return 0

    child = started(hold)
    os.read(ready, 1)
    with pytest.raises(ScaffoldError) as raised, exclusive(root, patience=0.1):
        pass
    assert [d.id for d in raised.value.diagnostics] == ["busy"]
    os.write(end, b".")
    with exclusive(root):
        assert ended(child) == 0


def test_a_plan_that_another_run_made_outdated_is_refused(tmp_path: Path) -> None:
    """Though each file that it would write is as it was then."""
    root = tmp_path / "project"
    first, mine, theirs = (rendered(GENERATED, f"{name}.txt", "1\n") for name in "abc")
    new(root, first)
    planned = plan(root, first, mine)
    regenerate(root, first, theirs)
    before = contents(root)
    with pytest.raises(ScaffoldError) as raised:
        apply(planned, root, planned.relocked("1", {}))
    assert [diagnostic.id for diagnostic in raised.value.diagnostics] == ["changed-meanwhile"]
    assert contents(root) == before


@pytest.mark.parametrize("is_killed", [False, True])
def test_a_run_that_writes_or_recovers_waits_for_another(root: Path, is_killed: bool) -> None:
    new(root, rendered(GENERATED, "a.txt", "1\n"))
    later = [rendered(GENERATED, "a.txt", "2\n")]
    if is_killed:
        assert killed(lambda: regenerate(root, *later), ("os.rename", "/.scaffold/lock.json"))
    before = texts(root)
    ready, go = os.pipe()

    def hold() -> int:
        with exclusive(root):
            os.write(go, b".")
            time.sleep(0.5)
            return int(texts(root) != before)

    child = started(hold)
    os.read(ready, 1)
    if is_killed:
        recover(root)
    else:
        regenerate(root, *later)
    assert ended(child) == 0, "it wrote while another run held the project"
    assert texts(root) == {"a.txt": "1\n" if is_killed else "2\n"}
