"""A plan is applied to the project that it was made for, whole, and by one run at a time."""

from __future__ import annotations

import os
from pathlib import Path
from unittest import mock

from scaffold.disk.apply import apply, recover

from .killed import NEVER, killed
from .regenerated import (
    GENERATED,
    MERGED,
    contents,
    new,
    plan,
    problems,
    regenerate,
    rendered,
    texts,
)


class TestBetweenPlanAndApply:
    """A plan holds for the project that it was made for."""

    file = rendered(GENERATED, "a.txt", "1\n")
    wanted = rendered(GENERATED, "a.txt", "2\n")

    def test_a_file_that_has_changed_since_stops_the_run(self, root: Path) -> None:
        new(root, self.file)
        made = plan(root, self.wanted)
        (root / "a.txt").write_text("mine\n")
        assert problems(lambda: apply(made, root, made.relocked("1", {}))) == [
            ("changed-meanwhile", str(root / "a.txt"))
        ]
        assert texts(root) == {"a.txt": "mine\n"}

    def test_a_run_that_came_between_stops_the_run(self, root: Path) -> None:
        new(root, self.file)
        made = plan(root, self.file, rendered(GENERATED, "b.txt", "1\n"))
        regenerate(root, self.wanted)
        assert problems(lambda: apply(made, root, made.relocked("1", {}))) == [
            ("changed-meanwhile", str(root / ".scaffold/lock.json"))
        ]
        assert texts(root) == {"a.txt": "2\n"}

    def test_a_full_disk_leaves_no_trace(self, root: Path) -> None:
        new(root, self.file)
        before = contents(root)
        full = OSError(28, "No space left on device")
        with mock.patch("os.fsync", side_effect=[None, full]):
            assert problems(lambda: regenerate(root, self.wanted)) == [("cannot-write", str(root))]
        assert contents(root) == before
        regenerate(root, self.wanted)
        assert texts(root) == {"a.txt": "2\n"}


def test_an_edit_between_a_kill_and_the_recovery_is_left_alone(root: Path) -> None:
    """What was not written yet stays the person's, and the lock still says what it was made from."""
    last = [rendered(MERGED, f"{name}.txt", "1\n2\n3\n4\n") for name in "abc"]
    wanted = [rendered(MERGED, f"{name}.txt", "1 new\n2\n3\n4\n") for name in "abc"]
    new(root, *last)

    def after_the_second_file() -> None:
        replace = os.replace

        def die_at_third(source: Path, target: Path) -> None:
            if Path(target).name == "c.txt":
                os._exit(0)
            replace(source, target)

        with mock.patch("os.replace", die_at_third):
            regenerate(root, *wanted)

    assert not killed(after_the_second_file, NEVER)
    assert texts(root) == {
        "a.txt": wanted[0].text,
        "b.txt": wanted[1].text,
        "c.txt": last[2].text,
    }
    (root / "b.txt").write_text("1 new\n2\n3\n4 mine\n")
    (root / "c.txt").write_text("1\n2\n3\n4 mine\n")
    assert recover(root) == ("b.txt", "c.txt")
    assert texts(root)["c.txt"] == "1\n2\n3\n4 mine\n"
    regenerate(root, *wanted)
    assert texts(root) == {
        "a.txt": wanted[0].text,
        "b.txt": "1 new\n2\n3\n4 mine\n",
        "c.txt": "1 new\n2\n3\n4 mine\n",
    }
