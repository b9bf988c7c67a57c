"""What a run does about a file, for every owner and every state that the file can be in."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import Owner, RenderedFile
from tests.disk.regenerated import GENERATED, new, plan, regenerate, rendered, texts
from tests.files import stamps

# The texts: wanted now, written last, and on disk; `-` is none. The middle line of the last text
# is a person's; the wanted one changes another line, so that a merge of the two can be clean.
WANTED = "1 new\n2\n3\n4\n"
LAST = "1\n2\n3\n4\n"
EDITED = "1\n2\n3\n4 mine\n"
MERGE = "1 new\n2\n3\n4 mine\n"
CLASH = "1 mine\n2\n3\n4\n"

CELLS = """
wanted last disk    generated  merged     owned
WANTED -    -       create     create     create
WANTED LAST -       create     keep       create
WANTED -    WANTED  unchanged  unchanged  unchanged
WANTED LAST WANTED  unchanged  unchanged  unchanged
WANTED -    EDITED  not-ours   not-ours   keep
WANTED LAST LAST    update     update     update
WANTED LAST EDITED  edited     merge      keep
WANTED LAST CLASH   edited     conflict   keep
LAST   LAST LAST    unchanged  unchanged  unchanged
LAST   LAST EDITED  edited     keep       keep
LAST   LAST -       create     keep       create
-      LAST LAST    delete     orphan     delete
-      LAST EDITED  orphan     orphan     orphan
-      LAST -       forget     forget     forget
"""

# What lies on disk afterwards, where it is not what lay there before.
AFTER = {"create": "wanted", "update": "wanted", "merge": "MERGE", "delete": "-"}


def cells() -> list[tuple[Owner, str, str, str, str]]:
    head, *rows = (line.split() for line in CELLS.strip().splitlines())
    return [
        (Owner(name), wanted, last, disk, cell)
        for wanted, last, disk, *row in rows
        for name, cell in zip(head[3:], row, strict=True)
    ]


@pytest.mark.parametrize(("owner", "wanted", "last", "disk", "cell"), cells())
def test_each_cell_of_the_table(
    tmp_path: Path, owner: Owner, wanted: str, last: str, disk: str, cell: str
) -> None:
    root, path = tmp_path / "project", "src/file.txt"
    other = rendered(GENERATED, "other.txt", "another\n")

    def file(name: str) -> list[RenderedFile]:
        return [] if name == "-" else [rendered(owner, path, globals()[name], about="it")]

    new(root, other, *file(last))
    (root / path).unlink(missing_ok=True)
    if disk != "-":
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(globals()[disk])

    planned = plan(root, other, *file(wanted))
    (step,) = (step for step in planned.steps if step.path == path)
    problem = step.problem.id if step.problem else None
    assert (problem if step.action == "conflict" else step.action) == cell
    id = cell if cell in ("not-ours", "edited", "conflict", "orphan") else None
    assert problem == ("found-there" if (last, cell) == ("-", "keep") else id)
    assert planned.writes == (() if cell not in AFTER else (step,))
    assert planned.conflicts == ((step,) if step.action == "conflict" else ())
    assert planned.orphans == ((step,) if cell == "orphan" else ())

    before = texts(root)
    if step.action == "conflict":
        with pytest.raises(ScaffoldError) as raised:
            regenerate(root, other, *file(wanted))
        assert raised.value.diagnostics == (step.problem,)
        assert texts(root) == before
        return
    taken = regenerate(root, other, *file(wanted))
    name = AFTER.get(cell, disk)
    name = wanted if name == "wanted" else name
    assert texts(root).get(path, "") == ("" if name == "-" else globals()[name])
    assert [s.path for s in taken] == ([path] if cell in AFTER else [])
    assert (root / "src").exists() == (name != "-" or cell in ("keep", "forget"))

    stood = stamps(root)
    assert regenerate(root, other, *file(wanted)) == ()
    assert stamps(root) == stood, "the second run writes nothing"
