"""Files of a pack that are no text, such as a logo, are copied byte for byte."""

from __future__ import annotations

import shutil
import zlib
from pathlib import Path

import pytest

from tests.teams.building import TABLE, run

LOGO = b"\x89PNG\r\n\x1a\n" + zlib.compress(bytes(range(256))) + b"\r\n\0\n"
SECOND = LOGO.replace(b"\r\n\0\n", b"\n\0\n")
"""Differs from the first in a line end alone."""

MORE = {"more.j2": "More.\n"}

ROW = '[[files]]\ntemplate = "files/docs/logo.png"\nowner = "{owner}"\n'


def pack(folder: Path, logo: bytes = LOGO, owner: str = "generated") -> Path:
    (folder / "files/docs").mkdir(parents=True, exist_ok=True)
    (folder / "files/docs/logo.png").write_bytes(logo)
    (folder / "pack.toml").write_text(TABLE + ROW.format(owner=owner))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return pack(tmp_path / "acme")


@pytest.fixture
def made(folder: Path, spec: Path, tmp_path: Path) -> Path:
    ended = run("new", spec, tmp_path / "p", "--pack", folder)
    assert ended.code == 0, ended.err
    return tmp_path / "p"


def test_it_arrives_byte_for_byte_and_its_pack_needs_nothing_else(made: Path, folder: Path) -> None:
    shutil.rmtree(folder)
    assert (made / "docs/logo.png").read_bytes() == LOGO
    assert (made / ".scaffold/pack/files/docs/logo.png").read_bytes() == LOGO
    assert run("regenerate", made, "--check").code == 0


def test_a_new_one_replaces_it_even_if_only_a_line_end_differs(made: Path, folder: Path) -> None:
    pack(folder, SECOND)
    shown = run("pack", "upgrade", made, "--diff")
    assert "Binary files a/docs/logo.png and b/docs/logo.png differ\n" in shown.out
    ended = run("pack", "upgrade", made)
    assert "update    docs/logo.png" in ended.err
    assert (made / "docs/logo.png").read_bytes() == SECOND
    assert (made / ".scaffold/pack/files/docs/logo.png").read_bytes() == SECOND
    assert run("regenerate", made, "--check").code == 0


def test_one_that_a_person_has_replaced_is_a_conflict_and_force_keeps_it(
    made: Path, folder: Path
) -> None:
    (made / "docs/logo.png").write_bytes(b"mine\0")
    pack(folder, SECOND)
    ended = run("pack", "upgrade", made)
    assert ended.code == 1
    assert "error[edited]" in ended.err
    assert (made / "docs/logo.png").read_bytes() == b"mine\0"
    assert run("pack", "upgrade", made, "--force", "docs/logo.png").code == 0
    assert (made / "docs/logo.png").read_bytes() == SECOND
    assert (made / "docs/logo.png.orig").read_bytes() == b"mine\0"


def test_an_owned_one_that_was_replaced_is_told_only_if_the_pack_changes_it(
    spec: Path, tmp_path: Path, folder: Path
) -> None:
    pack(folder, owner="owned")
    made = tmp_path / "p"
    assert run("new", spec, made, "--pack", folder).code == 0
    (made / "docs/logo.png").write_bytes(b"mine\0")
    (folder / "header.j2").write_text("# Acme\n")
    said = run("pack", "upgrade", made).err
    assert ("template-missed" in said, "files written" in said) == (False, True), said
    pack(folder, SECOND, owner="owned")
    said = run("pack", "upgrade", made).err
    assert "the template `files/docs/logo.png` has changed" in said


def test_it_cannot_be_merged(folder: Path, spec: Path, tmp_path: Path) -> None:
    pack(folder, owner="merged")
    ended = run("new", spec, tmp_path / "p", "--pack", folder)
    assert ended.code == 2
    assert f"{folder}/pack.toml:6:1: error[pack-value]" in ended.err
    assert "`files/docs/logo.png` is copied unchanged, and cannot be merged" in ended.err


def test_a_row_without_its_file_and_a_file_without_a_row_are_told(
    folder: Path, spec: Path, tmp_path: Path
) -> None:
    (folder / "files/other.bin").write_bytes(b"\0")
    assert "warning[template-unused] nothing uses the template `files/other.bin`" in (
        run("new", spec, tmp_path / "p", "--pack", folder).err
    )
    (folder / "files/docs/logo.png").unlink()
    ended = run("new", spec, tmp_path / "q", "--pack", folder)
    assert ended.code == 2
    assert "no template `files/docs/logo.png`" in ended.err


def test_a_project_s_own_replaces_that_of_the_pack_and_python_is_not_formatted(made: Path) -> None:
    own = made / "templates/files/docs/logo.png"
    own.parent.mkdir(parents=True)
    own.write_bytes(SECOND)
    script = made / "templates/files/tool.py"
    script.write_bytes(b"x  =  1\r\n")
    row = '[[files]]\ntemplate = "files/tool.py"\nowner = "generated"\n'
    (made / "templates/pack.toml").write_text(f"contract = 3\n{row}")
    ended = run("regenerate", made)
    assert ended.code == 0, ended.err
    assert "warning" not in ended.err
    assert (made / "docs/logo.png").read_bytes() == SECOND
    assert (made / "tool.py").read_bytes() == b"x  =  1\r\n"
    assert run("regenerate", made, "--check").code == 0
