"""Packs are read whole and checked whole, whoever wrote them; what is wrong with a table: `cases/packs/table.md`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.packs import builtin_packs
from scaffold.packs.pack import read_layers


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A pack without templates, which extends one that does not exist."""
    folder = tmp_path / "acme"
    folder.mkdir()
    (folder / "pack.toml").write_text('name = "acme"\ncontract = 4\nextends = "x"\n')
    return folder


def faults(folder: Path) -> list[str]:
    """The message of each diagnostic that reading the pack gives."""
    with pytest.raises(ScaffoldError) as raised:
        read_layers(folder)
    return [fault.message for fault in raised.value.diagnostics]


def test_a_pack_extends_built_in_packs_only(folder: Path) -> None:
    assert faults(folder) == ["no built-in pack `x`"]


@pytest.mark.parametrize("value", ["[" * 300 + "]" * 300, "[" * 5000 + "]" * 5000])
def test_a_table_that_is_nested_too_deeply_cannot_be_read(folder: Path, value: str) -> None:
    (folder / "pack.toml").write_text(f'name = "acme"\ncontract = 4\nx = {value}\n')
    assert [message.partition(":")[0] for message in faults(folder)] == [
        "cannot read the pack's table"
    ]


def test_a_table_with_too_many_errors_is_refused(folder: Path) -> None:
    row = '[[files]]\ntemplate = "a.j2"\nowner = "owned"\npath = 3\n'
    (folder / "pack.toml").write_text(f'name = "acme"\ncontract = 4\n{row * 200}')
    assert {*faults(folder)} == {"`path` must be a string, not `3`"}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_links_pipes_and_names_that_no_project_can_have_everywhere_are_refused(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").mkdir()
    for name in ("folder", "link.j2"):
        (folder / name).symlink_to(tmp_path / "secret")
    for name in ("a:b.j2", "aux.j2", "\x1b[2J.j2", os.fsdecode(b"\xff.j2")):
        (folder / name).write_text("")
    os.mkfifo(folder / "pipe.j2")
    assert sorted(faults(folder)) == [
        "not a portable path: '\\udcff.j2'",
        "not a portable path: '\\x1b[2J.j2'",
        "not a portable path: 'a:b.j2'",
        "not a portable path: 'aux.j2'",
        "the template cannot be read: it is a link",
        "the template cannot be read: it is a link",
        "the template cannot be read: it is not a file",
    ]


@pytest.mark.parametrize(
    "name", sorted(path.parent.name for path in builtin_packs().glob("*/pack.toml"))
)
def test_each_built_in_pack_has_the_templates_of_its_rows(name: str) -> None:
    pack, *_ = layers = read_layers(builtin_packs() / name)
    assert pack.name == name
    wanted = {row.template for row in pack.table.rows}
    assert wanted <= {path for layer in layers for path in (*layer.templates, *layer.copied)}
