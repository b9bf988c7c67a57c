"""A conflict stops a run, until a person has decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold.disk.lock import read_bases
from scaffold.disk.tree import Tree
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
from tests.files import contents, stamps


class TestConflicts:
    """A conflict stops everything, until a person has decided."""

    last = (
        rendered(GENERATED, "edited.txt", "1\n"),
        rendered(MERGED, "both.txt", "1\n2\n"),
        rendered(GENERATED, "fine.txt", "1\n"),
    )
    wanted = (
        rendered(GENERATED, "edited.txt", "2\n"),
        rendered(MERGED, "both.txt", "1\n2 new\n"),
        rendered(GENERATED, "fine.txt", "2\n"),
        rendered(GENERATED, "there.txt", "2\n"),
    )

    @pytest.fixture
    def clash(self, root: Path) -> Path:
        new(root, *self.last)
        (root / "edited.txt").write_text("mine\n")
        (root / "both.txt").write_text("1\n2 mine\n")
        (root / "there.txt").write_text("mine\n")
        return root

    def test_all_conflicts_are_reported_and_no_file_is_written(self, clash: Path) -> None:
        before, stood = contents(clash), stamps(clash)
        assert problems(lambda: regenerate(clash, *self.wanted)) == [
            ("conflict", str(clash / "both.txt")),
            ("edited", str(clash / "edited.txt")),
            ("not-ours", str(clash / "there.txt")),
        ]
        assert problems(lambda: regenerate(clash, *self.wanted, force=["there.txt"], accept=True))
        assert (contents(clash), stamps(clash)) == (before, stood)

    def test_force_overwrites_only_files_that_the_templates_generate(self, root: Path) -> None:
        handler = rendered(OWNED, "tool.py", "stub\n")
        new(root, handler)
        (root / "tool.py").write_text("mine\n")
        (root / "mine.txt").write_text("mine\n")
        assert problems(lambda: regenerate(root, handler, force=["mine.txt"])) == [
            ("not-wanted", "mine.txt")
        ]
        regenerate(root, handler, force=["tool.py"])
        assert texts(root) == {"mine.txt": "mine\n", "tool.py": "stub\n", "tool.py.orig": "mine\n"}

    @pytest.mark.parametrize("stub", [None, "stub\n", "older stub\n"])
    def test_force_keeps_a_handler_that_would_move_to_the_same_path(
        self, root: Path, stub: str | None
    ) -> None:
        old, target = rendered(OWNED, "old.py", "stub\n"), rendered(OWNED, "new.py", "stub\n")
        new(root, old, *([rendered(OWNED, "new.py", stub)] if stub else []))
        (root / "old.py").write_text("mine\n")
        taken = regenerate(root, target, renames={"old.py": "new.py"}, force=["new.py"])
        assert [(s.path, s.aside) for s in taken if s.aside] == [("new.py", "new.py.orig")]
        assert texts(root) == {"new.py": "stub\n", "new.py.orig": "mine\n"}

    def test_a_merge_needs_the_common_base(self, root: Path) -> None:
        new(root, rendered(MERGED, "a.txt", "1\n2\n3\n4\n"))
        (root / "a.txt").write_text("1\n2\n3\n4 mine\n")
        (root / ".scaffold/bases.bin").write_text("broken\n")
        wanted = rendered(MERGED, "a.txt", "1 new\n2\n3\n4\n")
        assert problems(lambda: regenerate(root, wanted)) == [("conflict", str(root / "a.txt"))]
        regenerate(root, wanted, accept=True)
        assert texts(root)["a.txt"].count("<<<<<<< yours") == 1
        assert read_bases(Tree(root)) == {"a.txt": wanted.text}


def test_diffs_show_the_changes_that_a_run_would_make(root: Path) -> None:
    new(
        root,
        rendered(GENERATED, "gone.txt", "1\n"),
        rendered(OWNED, "old.py", "1\n"),
        rendered(GENERATED, "update.txt", "1\n"),
    )
    (root / "update.txt").write_bytes(b"1\r\n")
    (root / "old.py").write_text("mine\n")
    planned = plan(
        root,
        rendered(GENERATED, "new.txt", "1\n"),
        rendered(OWNED, "new.py", "2\n"),
        rendered(GENERATED, "update.txt", "2"),
        renames={"old.py": "new.py"},
    )
    assert [step.diff() for step in planned.steps] == [
        "--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n",
        "diff --git a/old.py b/new.py\nsimilarity index 100%\nrename from old.py\nrename to new.py\n",
        "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+1\n",
        "--- a/update.txt\n+++ b/update.txt\n@@ -1 +1 @@\n-1\n+2\n\\ No newline at end of file\n",
    ]
