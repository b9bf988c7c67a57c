"""What a person writes in a project that a run has left half done is left alone."""

from __future__ import annotations

from functools import partial
from pathlib import Path

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


class TestEditsBetweenAKillAndTheRecovery:
    """What a person writes in a project that a run has left half done is left alone."""

    last = tuple(rendered(MERGED, f"{name}.txt", "1\n2\n3\n4\n") for name in "abc")
    wanted = tuple(rendered(MERGED, f"{name}.txt", "1 new\n2\n3\n4\n") for name in "abc")

    @pytest.mark.parametrize("edited", ["b.txt", "new.py"])
    def test_a_moved_handler_is_not_duplicated(self, root: Path, edited: str) -> None:
        """Wherever the edit is: there, or elsewhere."""
        new(root, *self.last, rendered(OWNED, "old.py", "stub\n"))
        (root / "old.py").write_text("mine\n")
        wanted = (*self.wanted, rendered(OWNED, "new.py", "stub\n"))
        work = partial(regenerate, root, *wanted, renames={"old.py": "new.py"})
        assert killed(work, ("os.remove", "journal.json"))
        with (root / edited).open("a") as file:
            file.write("edited\n")
        there = (root / edited).read_text()
        assert recover(root) == (edited,)
        assert ("old.py" in texts(root)) == (edited != "new.py")
        work()
        assert texts(root).keys() == {"a.txt", "b.txt", "c.txt", "new.py"}
        assert texts(root)["new.py"].startswith("mine\n")
        assert texts(root)[edited] == there

    def test_the_backup_of_a_forced_file_is_kept(self, root: Path) -> None:
        new(root, rendered(GENERATED, "a.txt", "1\n"))
        (root / "a.txt").write_text("mine\n")
        work = partial(regenerate, root, rendered(GENERATED, "a.txt", "2\n"), force=["a.txt"])
        assert killed(work, ("os.remove", "journal.json"))
        (root / "a.txt").write_text("edited\n")
        assert recover(root) == ("a.txt",)
        assert texts(root) == {"a.txt": "edited\n", "a.txt.orig": "mine\n"}


@pytest.mark.parametrize("text", ["", "[]", '{"lines": 1}', "[" * 100_000])
def test_an_invalid_journal_is_refused_with_a_hint(root: Path, text: str) -> None:
    new(root, rendered(OWNED, "a.txt", "1\n"))
    (root / ".scaffold/run").mkdir()
    (root / ".scaffold/run/journal.json").write_text(text)
    journal = str(root / ".scaffold/run/journal.json")
    assert problems(lambda: recover(root)) == [("journal-broken", journal)]
    (root / ".scaffold/run").rename(root.with_name("away"))
    assert recover(root) is None
