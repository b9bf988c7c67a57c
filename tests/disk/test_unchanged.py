"""Whether there is anything to do is told from hashes alone, and the plan agrees."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold.base.files import Owner
from scaffold.disk.lock import Lock, read
from scaffold.disk.unchanged import unchanged
from scaffold.languages.python.modules import package
from tests.disk.regenerated import MERGED, OWNED, new, plan, regenerate, rendered

LAST, EDITED, CRLF = "1\n2\n", "1\n2 mine\n", "1\r\n2\r\n"
MARKED = "<<<<<<< yours\n1\n=======\n2\n>>>>>>> template\n"

disks = st.sampled_from([None, LAST, EDITED, CRLF, MARKED])


@settings(deadline=None)
@given(
    files=st.lists(st.tuples(st.sampled_from(Owner), disks, st.booleans()), max_size=4),
    bases=st.booleans(),
)
def test_a_project_is_unchanged_exactly_if_a_run_would_write_nothing(
    files: list[tuple[Owner, str | None, bool]], bases: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        every = [rendered(owner, f"{n}.txt", LAST) for n, (owner, _, _) in enumerate(files)]
        wanted = [file for file, (_, _, dropped) in zip(every, files, strict=True) if not dropped]
        new(root, *every)
        for file in every:
            if file not in wanted:
                (root / file.path).write_text(EDITED)
        regenerate(root, *wanted)
        for file, (_, disk, _) in zip(every, files, strict=True):
            (root / file.path).unlink()
            if disk is not None:
                (root / file.path).write_bytes(disk.encode())
        if not bases:
            (root / ".scaffold/bases.bin").unlink()

        lock, planned = lock_of(root), plan(root, *wanted)
        reported = (
            planned.writes
            or planned.conflicts
            or any(step.is_left_over for step in planned.orphans)
        )
        idle = not reported and planned.relocked("1", {}) == lock
        whole = bases or all(file.owner is not MERGED for file in wanted)
        if unchanged(root, lock, "1", {}, package):
            assert idle
            assert whole
        else:
            assert not (idle and whole), "it need not have been looked at"


def test_other_inputs_another_version_and_an_interrupted_run_count_as_changes(
    tmp_path: Path,
) -> None:
    root = tmp_path / "project"
    new(root, rendered(OWNED, "a.txt", LAST))
    lock = lock_of(root)
    assert unchanged(root, lock, "1", {}, package)
    assert not unchanged(root, lock, "2", {}, package)
    assert not unchanged(root, lock, "1", {"mcp.yaml": "0" * 64}, package)
    (root / ".scaffold/run").mkdir()
    (root / ".scaffold/run/journal.json").write_text("{}")
    assert not unchanged(root, lock, "1", {}, package)


def lock_of(root: Path) -> Lock:
    lock = read(root)
    assert lock
    return lock
