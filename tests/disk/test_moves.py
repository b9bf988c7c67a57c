"""Files that go, come back, move and change hands take what a person wrote with them."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import pytest

from scaffold.base.files import Owner
from scaffold.disk.lock import read, read_bases
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
from tests.files import contents


class TestRenames:
    """`renamedFrom`: a handler moves with its text."""

    old = rendered(OWNED, "tools/old.py", "stub of old\n", about="old")
    new = rendered(OWNED, "tools/new.py", "stub of new\n", about="new")
    renames = MappingProxyType({"tools/old.py": "tools/new.py"})

    def test_an_edited_handler_moves_without_a_changed_byte(self, root: Path) -> None:
        new(root, self.old)
        (root / "tools/old.py").write_bytes(b"\xef\xbb\xbfmy handler, \xff\r\nmixed\n")
        (step,) = regenerate(root, self.new, renames=self.renames)
        assert (step.action, step.source) == ("move", "tools/old.py")
        assert contents(root / "tools") == {"new.py": b"\xef\xbb\xbfmy handler, \xff\r\nmixed\n"}

    @pytest.mark.parametrize("text", ["stub of old\n", "mine\n"])
    def test_a_file_that_its_user_moved_is_adopted(self, root: Path, text: str) -> None:
        """It is known again: what nobody has written in becomes the new stub."""
        new(root, self.old)
        (root / "tools/old.py").write_text(text)
        (root / "tools/old.py").rename(root / "tools/new.py")
        steps = regenerate(root, self.new, renames=self.renames)
        assert not any(step.problem for step in steps)
        assert texts(root) == {"tools/new.py": "mine\n" if text == "mine\n" else "stub of new\n"}
        assert read(root) == plan(root, self.new).relocked("1", {})

    def test_a_merged_file_moves_and_is_merged(self, root: Path) -> None:
        new(root, rendered(MERGED, "src/old/main.py", "1\n2\n3\n4\n"))
        (root / "src/old/main.py").write_text("1\n2\n3\n4 mine\n")
        wanted = rendered(MERGED, "src/new/main.py", "1 new\n2\n3\n4\n")
        regenerate(root, wanted, renames={"src/old/main.py": "src/new/main.py"})
        assert contents(root).keys() == {
            ".scaffold/bases.bin",
            ".scaffold/lock.json",
            "src/new/main.py",
        }
        assert texts(root) == {"src/new/main.py": "1 new\n2\n3\n4 mine\n"}
        assert not (root / "src/old").exists()
        assert read_bases(Tree(root)).keys() == {"src/new/main.py"}

    def test_a_merge_on_the_way_can_conflict(self, root: Path) -> None:
        new(root, rendered(MERGED, "old.txt", "1\n"))
        (root / "old.txt").write_text("mine\n")
        wanted = rendered(MERGED, "new.txt", "2\n")
        renames = {"old.txt": "new.txt"}
        assert problems(lambda: regenerate(root, wanted, renames=renames)) == [
            ("conflict", str(root / "old.txt"))
        ]
        regenerate(root, wanted, renames=renames, accept=True)
        assert texts(root) == {"new.txt": "<<<<<<< yours\nmine\n=======\n2\n>>>>>>> template\n"}


class TestOrphans:
    """What the spec no longer asks for stays where a person may have worked in it."""

    tool = rendered(OWNED, "tools/it.py", "stub\n", about="it")

    def test_a_merged_orphan_that_comes_back_is_merged_again(self, root: Path) -> None:
        new(root, rendered(MERGED, "ci.yml", "1\n2\n3\n4\n"))
        (root / "ci.yml").write_text("1\n2\n3\n4 mine\n")
        regenerate(root)
        regenerate(root, rendered(MERGED, "ci.yml", "1 new\n2\n3\n4\n"))
        assert texts(root) == {"ci.yml": "1 new\n2\n3\n4 mine\n"}


OWNERSHIP = [
    (GENERATED, MERGED, "conflict"),
    (OWNED, MERGED, "conflict"),
    (MERGED, GENERATED, "edited"),
    (OWNED, GENERATED, "edited"),
    (GENERATED, OWNED, "keep"),
    (MERGED, OWNED, "keep"),
]


@pytest.mark.parametrize(("before", "now", "edited"), OWNERSHIP)
def test_a_file_can_change_its_owner(root: Path, before: Owner, now: Owner, edited: str) -> None:
    """The new owner's rules hold, and an edit made under the old ones is safe."""
    new(root, rendered(before, "a.txt", "1\n"), rendered(before, "b.txt", "1\n"))
    (root / "b.txt").write_text("mine\n")
    a, b = rendered(now, "a.txt", "2\n"), rendered(now, "b.txt", "2\n")
    first, second = plan(root, a, b).steps
    assert first.action == "update"
    assert (second.problem.id if second.problem else second.action) == edited

    if now is MERGED:
        regenerate(root, a, b, accept=True)
        marked = "<<<<<<< yours\nmine\n=======\n2\n>>>>>>> template\n"
        assert texts(root) == {"a.txt": "2\n", "b.txt": marked}
    elif now is GENERATED:
        regenerate(root, a, b, force=["b.txt"])
        assert texts(root) == {"a.txt": "2\n", "b.txt": "2\n", "b.txt.orig": "mine\n"}
    else:
        regenerate(root, a, b)
        assert texts(root) == {"a.txt": "2\n", "b.txt": "mine\n"}
    assert bool(read_bases(Tree(root))) == (now is MERGED)
