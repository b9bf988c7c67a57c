"""A plan is applied to the project that it was made for, whole, and by one run at a time."""

from __future__ import annotations

import hashlib
import json
import shutil
from functools import partial
from pathlib import Path
from unittest import mock

import pytest

from scaffold.disk.apply import abort, apply, recover
from scaffold.disk.tree import failure
from tests.disk.processes import killed
from tests.disk.regenerated import (
    GENERATED,
    MERGED,
    OWNED,
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

    def test_what_the_system_says_is_a_whole_sentence_in_the_folder_one_stands_in_too(self) -> None:
        full = OSError(28, "No space left on device")
        assert str(failure("cannot-write", Path(), full)) == (
            "the project: No space left on device"
        )


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
        assert recover(root)
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
        assert recover(root)
        assert texts(root)["a.txt"] == "1\n2\n3\n4\n"
        assert regenerate(root, *self.wanted).steps
        assert not recover(root)

    def test_what_a_person_has_undone_is_left_undone(self, root: Path) -> None:
        new(root, *self.last)
        created = rendered(GENERATED, "0.txt", "1\n")
        assert killed(
            lambda: regenerate(root, created, *self.wanted), ("os.rename", "project/c.txt")
        )
        (root / "0.txt").unlink()
        (root / "a.txt").unlink()
        assert recover(root)
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
        assert recover(root)
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


OUTSIDE = ["../b.txt", "/b.txt", ".git/hooks/pre-commit", "a/.GIT/config"]
OF_A_RUN = [
    ".scaffold/journal.json",
    ".scaffold/stage/1",
    ".Scaffold/lock.json",
    ".scaffold/packs/x",
]


class TestAJournalFromAStranger:
    """A cloned project may bring a journal along: it can do no more than the files beside it."""

    evil = b"#!/bin/sh\n"

    def journal(self, root: Path, *changes: object, **more: object) -> None:
        new(root, rendered(OWNED, "a.txt", "1\n"))
        (root / ".scaffold/stage").mkdir()
        for number in range(len(changes)):
            (root / f".scaffold/stage/{number}.old").write_bytes(self.evil)
        self.journal_of(root, *changes, **more)

    def journal_of(self, root: Path, *changes: object, **more: object) -> None:
        lock = hashlib.sha256((root / ".scaffold/lock.json").read_bytes()).hexdigest()
        journal = {"format": 2, "lock": lock, "carried": [], "changes": changes, **more}
        text = json.dumps(journal)
        (root / ".scaffold/journal.json").write_text(text)

    def change(self, path: object = "a.txt", **more: object) -> dict[str, object]:
        before, after = (hashlib.sha256(text).hexdigest() for text in (self.evil, b"1\n"))
        return {"path": path, "before": before, "after": after, "needs": None} | more

    @pytest.mark.parametrize("path", [*OUTSIDE, "b/.git", ".Scaffold/x", "b/", "./b", 1])
    def test_nothing_is_carried_from_outside_or_to_it(self, root: Path, path: object) -> None:
        for carried in (["a.txt", path], [path, "a.txt"], path):
            self.journal(root, carried=[carried])
            broken = [("journal-broken", str(root / ".scaffold/journal.json"))]
            assert problems(lambda: recover(root)) == broken
            assert texts(root) == {"a.txt": "1\n"}
            shutil.rmtree(root)

    def test_nothing_is_carried_through_a_link(self, root: Path, tmp_path: Path) -> None:
        self.journal(root, carried=[["link/b.txt", "a.txt"]])
        (tmp_path / "outside").mkdir()
        (root / "link").symlink_to(tmp_path / "outside")
        assert [id for id, _ in problems(lambda: recover(root))] == ["cannot-write"]
        assert not any((tmp_path / "outside").iterdir())

    def test_a_journal_that_could_be_ours_is_undone(self, root: Path) -> None:
        self.journal(root, self.change())
        assert recover(root)
        assert texts(root) == {"a.txt": "#!/bin/sh\n"}

    @pytest.mark.parametrize("path", [*OUTSIDE, *OF_A_RUN, "", 1, None, "a/" * 1000 + "b"])
    def test_a_path_that_no_run_writes_is_refused(self, root: Path, path: object) -> None:
        self.journal(root, self.change(), self.change(path))
        before = contents(root)
        assert problems(lambda: recover(root)) == [
            ("journal-broken", str(root / ".scaffold/journal.json"))
        ]
        assert contents(root) == before

    @pytest.mark.parametrize(
        ("key", "value"),
        [("before", 1), ("after", []), ("needs", 1), ("needs", "../x")],
    )
    def test_a_value_that_no_run_writes_is_refused(
        self, root: Path, key: str, value: object
    ) -> None:
        self.journal(root, self.change(**{key: value}))
        assert problems(lambda: recover(root)) == [
            ("journal-broken", str(root / ".scaffold/journal.json"))
        ]
        assert texts(root) == {"a.txt": "1\n"}

    def test_a_file_that_is_not_as_it_says_is_left_alone(self, root: Path) -> None:
        self.journal(root, self.change(after="0" * 64), self.change("b.txt", needs="a.txt"))
        assert recover(root)
        assert texts(root) == {"a.txt": "1\n"}

    def test_a_journal_of_another_lock_is_not_ours_to_undo(self, root: Path) -> None:
        self.journal(root, self.change(), lock="0" * 64)
        before = contents(root)
        journal = str(root / ".scaffold/journal.json")
        assert problems(lambda: recover(root)) == [("other-tree", journal)]
        assert contents(root) == before
        assert abort(root) == ()
        assert texts(root) == {"a.txt": "1\n"}, "the present lock says that we wrote this"

    @pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2}', "[" * 100_000])
    def test_any_other_text_is_refused_saying_what_to_do(self, root: Path, text: str) -> None:
        new(root, rendered(OWNED, "a.txt", "1\n"))
        (root / ".scaffold/journal.json").write_text(text)
        assert problems(lambda: recover(root)) == [
            ("journal-broken", str(root / ".scaffold/journal.json"))
        ]

    def test_nothing_is_written_through_a_link(self, root: Path, tmp_path: Path) -> None:
        (tmp_path / "outside").mkdir()
        self.journal(root, self.change("link/b.txt"))
        (root / "link").symlink_to(tmp_path / "outside")
        (tmp_path / "outside/b.txt").write_text("1\n")
        assert problems(lambda: recover(root)) == [("symlink", str(root / "link"))]
        assert contents(tmp_path / "outside") == {"b.txt": b"1\n"}

    def test_nothing_is_read_through_a_link(self, root: Path, tmp_path: Path) -> None:
        (tmp_path / "secret").write_bytes(self.evil)
        self.journal(root, self.change())
        kept = root / ".scaffold/stage/0.old"
        kept.unlink()
        kept.symlink_to(tmp_path / "secret")
        assert problems(lambda: recover(root)) == [("symlink", str(kept))]
        assert texts(root) == {"a.txt": "1\n"}
