"""`new` makes a whole project or nothing."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.create import create
from scaffold.disk.lock import Lock, read
from scaffold.files import Owner, RelPath, RenderedFile, RenderedFiles

FILES = RenderedFiles.of(
    [
        RenderedFile(RelPath("README.md"), Owner.MERGED, "# Blog ✓\n", "README.md.jinja"),
        RenderedFile(RelPath("run"), Owner.GENERATED, "#!/bin/sh\n", "run.jinja", executable=True),
        RenderedFile(RelPath("src/a.py"), Owner.OWNED, "pass\n", "tool.py.jinja", about="a"),
    ]
)
LOCK = Lock.of(FILES, "1.0", {"mcp.yaml": "0" * 64})


def tree(root: Path) -> dict[str, str]:
    return {
        file.relative_to(root).as_posix(): file.read_text("utf-8")
        for file in sorted(root.rglob("*"))
        if file.is_file()
    }


def refusal(dest: Path) -> str:
    with pytest.raises(ScaffoldError) as raised:
        create(FILES, LOCK, dest)
    (diagnostic,) = raised.value.diagnostics
    return diagnostic.id


@pytest.mark.parametrize("dest", ["blog", "a/b/blog"])
def test_the_files_the_lock_and_the_merge_bases_are_written(tmp_path: Path, dest: str) -> None:
    create(FILES, LOCK, tmp_path / dest)
    assert tree(tmp_path / dest) == {
        ".scaffold/.gitignore": "/journal.json\n/run.lock\n/stage/\n",
        ".scaffold/base/README.md": "# Blog ✓\n",
        ".scaffold/lock.json": LOCK.text(),
        "README.md": "# Blog ✓\n",
        "run": "#!/bin/sh\n",
        "src/a.py": "pass\n",
    }
    assert read(tmp_path / dest) == LOCK
    assert [p.name for p in (tmp_path / dest).parent.iterdir()] == ["blog"]


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    umask = os.umask(0o027)
    try:
        create(FILES, LOCK, tmp_path / "blog")
    finally:
        os.umask(umask)
    modes = {
        p: stat.S_IMODE((tmp_path / "blog" / p).stat().st_mode) for p in (".", "run", "src/a.py")
    }
    assert modes == {".": 0o750, "run": 0o750, "src/a.py": 0o640}


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "blog").mkdir()
    create(FILES, LOCK, tmp_path / "blog")
    assert read(tmp_path / "blog") == LOCK


def test_anything_else_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("empty")
    (tmp_path / "dangling").symlink_to("nowhere")
    before = tree(tmp_path)
    assert refusal(tmp_path / "full") == "dest-not-empty"
    assert refusal(tmp_path / "file") == "dest-not-empty"
    assert refusal(tmp_path / "link") == "symlink"
    assert refusal(tmp_path / "dangling") == "symlink"
    assert refusal(tmp_path / "file/below") == "cannot-write"
    assert tree(tmp_path) == before
