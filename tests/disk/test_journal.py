"""A plan is applied to the project that it was made for, whole, and by one run at a time."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from scaffold.disk.apply import apply, recover
from tests.disk.processes import killed
from tests.disk.regenerated import (
    GENERATED,
    MERGED,
    OWNED,
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


class TestEditsBetweenAKillAndTheRecovery:
    """What a person writes in a project that a run has left half done is left alone."""

    last = tuple(rendered(MERGED, f"{name}.txt", "1\n2\n3\n4\n") for name in "abc")
    wanted = tuple(rendered(MERGED, f"{name}.txt", "1 new\n2\n3\n4\n") for name in "abc")

    def kill_before(self, event: str, path: str, root: Path) -> None:
        new(root, *self.last)
        assert killed(lambda: regenerate(root, *self.wanted), (event, path))

    @pytest.mark.parametrize("instant", ["project/c.txt", "lock.json"])
    def test_all_else_is_undone_and_the_next_run_merges(self, root: Path, instant: str) -> None:
        self.kill_before("os.rename", instant, root)
        (root / "b.txt").write_text("1 new\n2\n3\n4 mine\n")
        (root / "c.txt").write_text("1\n2\n3\n4 mine\n")
        assert recover(root) is not None
        assert texts(root) == {
            "a.txt": "1\n2\n3\n4\n",
            "b.txt": "1 new\n2\n3\n4 mine\n",
            "c.txt": "1\n2\n3\n4 mine\n",
        }
        regenerate(root, *self.wanted)
        assert texts(root) == {
            "a.txt": "1 new\n2\n3\n4\n",
            "b.txt": "1 new\n2\n3\n4 mine\n",
            "c.txt": "1 new\n2\n3\n4 mine\n",
        }

    def test_a_run_counts_as_done_once_its_journal_is_gone(self, root: Path) -> None:
        """Until then its report may not have been read: the next run repeats it."""
        self.kill_before("os.remove", "journal.json", root)
        assert recover(root) is not None
        assert texts(root)["a.txt"] == "1\n2\n3\n4\n"
        assert regenerate(root, *self.wanted).steps
        assert recover(root) is None

    def test_what_a_person_has_undone_is_left_undone(self, root: Path) -> None:
        new(root, *self.last)
        created = rendered(GENERATED, "0.txt", "1\n")
        assert killed(
            lambda: regenerate(root, created, *self.wanted), ("os.rename", "project/c.txt")
        )
        (root / "0.txt").unlink()
        (root / "a.txt").unlink()
        assert recover(root) is not None
        assert texts(root) == {"b.txt": "1\n2\n3\n4\n", "c.txt": "1\n2\n3\n4\n"}
        regenerate(root, created, *self.wanted)
        assert texts(root)["0.txt"] == "1\n"
        assert "a.txt" not in texts(root)

    def test_a_handler_is_not_deleted_where_its_move_was_not_made(self, root: Path) -> None:
        new(root, rendered(OWNED, "old.py", "stub\n"))
        (root / "old.py").write_text("mine\n")
        wanted = rendered(OWNED, "new.py", "stub\n")
        renames = {"old.py": "new.py"}
        work = partial(regenerate, root, wanted, renames=renames)
        assert killed(work, ("os.link", "project/new.py"))
        (root / "new.py").write_text("something else\n")
        assert recover(root) is not None
        assert texts(root) == {"new.py": "something else\n", "old.py": "mine\n"}

    def test_a_handler_that_has_moved_and_was_edited_there_is_not_doubled(self, root: Path) -> None:
        new(root, rendered(OWNED, "old.py", "stub\n"))
        (root / "old.py").write_text("mine\n")
        wanted = rendered(OWNED, "new.py", "stub\n")
        work = partial(regenerate, root, wanted, renames={"old.py": "new.py"})
        assert killed(work, ("os.remove", "journal.json"))
        (root / "new.py").write_text("mine, edited\n")
        work()
        assert texts(root) == {"new.py": "mine, edited\n"}

    def test_an_edit_elsewhere_keeps_no_move_from_being_undone_and_made_again(
        self, root: Path
    ) -> None:
        new(root, *self.last, rendered(OWNED, "old.py", "stub\n"))
        (root / "old.py").write_text("mine\n")
        wanted = (*self.wanted, rendered(OWNED, "new.py", "stub\n"))
        work = partial(regenerate, root, *wanted, renames={"old.py": "new.py"})
        assert killed(work, ("os.remove", "journal.json"))
        (root / "b.txt").write_text("1 new\n2\n3\n4 mine\n")
        assert recover(root) == ("b.txt",)
        assert texts(root).keys() == {"a.txt", "b.txt", "c.txt", "old.py"}
        work()
        assert texts(root).keys() == {"a.txt", "b.txt", "c.txt", "new.py"}
        assert texts(root)["new.py"] == "mine\n"


@pytest.mark.parametrize("text", ["", "[]", '{"lines": 1}', "[" * 100_000])
def test_a_journal_that_is_none_is_refused_saying_what_to_do(root: Path, text: str) -> None:
    new(root, rendered(OWNED, "a.txt", "1\n"))
    (root / ".scaffold/run").mkdir()
    (root / ".scaffold/run/journal.json").write_text(text)
    journal = str(root / ".scaffold/run/journal.json")
    assert problems(lambda: recover(root)) == [("journal-broken", journal)]
    (root / ".scaffold/run").rename(root.with_name("away"))
    assert recover(root) is None
