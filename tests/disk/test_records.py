"""Records that do not fit together: bases without entries, and bases that someone has changed."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from scaffold.base.files import RelPath
from scaffold.disk.apply import exclusive, recover
from scaffold.disk.lock import packed, read, read_bases
from scaffold.disk.tree import Tree
from scaffold.disk.unchanged import unchanged
from scaffold.languages.python.modules import package
from tests.disk.processes import ended, killed, started
from tests.disk.regenerated import GENERATED, MERGED, new, plan, regenerate, rendered, texts


def forget(root: Path, path: str) -> None:
    """Take a file's entry out of the lock, as a git merge of two branches may."""
    lock = root / ".scaffold/lock.json"
    data = json.loads(lock.read_text())
    del data["files"][path]
    lock.write_text(json.dumps(data))


def test_a_base_without_an_entry_stops_no_run(root: Path) -> None:
    new(root, rendered(MERGED, "a.txt", "1\n2\n3\n"), rendered(MERGED, "b.txt", "1\n"))
    forget(root, "a.txt")
    regenerate(root, rendered(MERGED, "a.txt", "1\n2\n3\n"), rendered(MERGED, "b.txt", "1\n"))
    lock = read(root)
    assert lock
    assert lock.files.keys() == {"a.txt", "b.txt"}

    (root / "a.txt").write_text("mine\n2\n3\n")
    forget(root, "a.txt")
    wanted = [rendered(MERGED, "a.txt", "1\n2\n4\n"), rendered(MERGED, "b.txt", "2\n")]
    (found,) = plan(root, *wanted).conflicts
    assert found.path == "a.txt"
    assert found.marked
    assert b"mine\n" in found.marked


def test_a_base_that_was_altered_or_lost_is_put_right_by_a_run_that_looks(root: Path) -> None:
    files = [rendered(MERGED, "a.txt", "1\n2\n3\n")]
    new(root, *files)
    for data in (packed({RelPath("a.txt"): "1\n2\nother\n"}), b"broken", None):
        lock = read(root)
        assert lock
        assert unchanged(root, lock, "1", {}, package)
        kept = root / ".scaffold/bases.bin"
        kept.unlink()
        if data:
            kept.write_bytes(data)
        assert not unchanged(root, lock, "1", {}, package)
        regenerate(root, *files)
        assert read_bases(Tree(root)) == {"a.txt": "1\n2\n3\n"}


def test_a_recovery_waits_for_the_run_that_is_under_way(root: Path) -> None:
    new(root, rendered(GENERATED, "a.txt", "1\n"))
    later = [rendered(GENERATED, "a.txt", "2\n")]
    assert killed(lambda: regenerate(root, *later), ("os.rename", "/.scaffold/lock.json"))
    ready, go = os.pipe()

    def hold() -> int:
        with exclusive(root):
            os.write(go, b".")
            time.sleep(1)
            held = (root / "a.txt").read_text() == "2\n"
        return 0 if held else 1

    child = started(hold)
    os.read(ready, 1)
    recover(root)
    assert ended(child) == 0, "the recovery wrote while another run held the project"
    assert texts(root) == {"a.txt": "1\n"}
