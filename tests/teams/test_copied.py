"""Files of a pack that are no text, such as a logo, are copied byte for byte."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from tests.teams.building import TABLE, Create, run

LOGO = b"\x89PNG\r\n\x1a\n" + zlib.compress(bytes(range(256))) + b"\r\n\0\n"
SECOND = LOGO.replace(b"\r\n\0\n", b"\n\0\n")
"""Differs from the first in a line end alone."""

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
def made(folder: Path, create: Create) -> Path:
    return create(folder)


def test_it_arrives_byte_for_byte_and_a_new_one_replaces_it_even_if_a_line_end_differs(
    made: Path, folder: Path
) -> None:
    copies = (made / "docs/logo.png", made / ".scaffold/pack/files/docs/logo.png")
    assert [copy.read_bytes() for copy in copies] == [LOGO] * 2
    assert run("regenerate", made, "--check").code == 0
    pack(folder, SECOND)
    shown = run("pack", "upgrade", made, "--diff")
    assert "Binary files a/docs/logo.png and b/docs/logo.png differ\n" in shown.out
    ended = run("pack", "upgrade", made)
    assert "update    docs/logo.png" in ended.err
    assert [copy.read_bytes() for copy in copies] == [SECOND] * 2


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
    folder: Path, create: Create
) -> None:
    made = create(pack(folder, owner="owned"))
    (made / "docs/logo.png").write_bytes(b"mine\0")
    (folder / "header.j2").write_text("# Acme\n")
    said = run("pack", "upgrade", made).err
    assert ("template-missed" in said, "files written" in said) == (False, True), said
    pack(folder, SECOND, owner="owned")
    said = run("pack", "upgrade", made).err
    assert "the template `files/docs/logo.png` has changed" in said


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
