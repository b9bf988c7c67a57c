"""Packs are read whole and checked whole, whoever wrote them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from scaffold import __version__
from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import Owner
from scaffold.packs import builtin_packs
from scaffold.packs.pack import read_layers, read_pack

WritePack = Callable[..., Path]


def faults(folder: Path) -> list[str]:
    """`line: message; hint` of each diagnostic that reading the pack gives."""
    with pytest.raises(ScaffoldError) as raised:
        read_layers(folder)
    lines = []
    for fault in raised.value.diagnostics:
        assert fault.place is not None
        assert Path(fault.place.path).parent == folder
        lines.append(
            f"{fault.place.line or ''}: {fault.message}" + (f"; {fault.hint}" if fault.hint else "")
        )
    return lines


def row(**keys: str) -> str:
    return "[[files]]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())


def test_a_row_says_which_template_makes_which_file(write_pack: WritePack) -> None:
    folder = write_pack(
        row(template='"tools/tool.py.j2"', path='"src/{{ tool.module }}.py"', owner='"owned"')
        + 'each = "tool"\nwhen = "tool.stub"\nexecutable = true\n',
        **{"tools/tool.py.j2": "text\n"},
    )
    pack = read_pack(folder)
    (only,) = pack.table.rows
    assert (pack.name, dict(pack.templates)) == ("acme", {"tools/tool.py.j2": "text\n"})
    assert (only.template, only.path) == ("tools/tool.py.j2", "src/{{ tool.module }}.py")
    assert (only.owner, only.each, only.when) == (Owner.OWNED, "tool", "tool.stub")
    assert only.executable


def test_a_path_is_by_default_the_template_s_own_place(write_pack: WritePack) -> None:
    folder = write_pack(row(template='".github/ci.yml.j2"', owner='"merged"'))
    assert [row.path for row in read_pack(folder).table.rows] == [".github/ci.yml"]


def test_a_pack_stands_on_nothing_that_is_not_stored_with_it(write_pack: WritePack) -> None:
    assert faults(write_pack(head='extends = "../x"')) == [
        (
            "3: `../x`, which the pack extends, is not stored with it; restore it from version control, or"
            " run `mcp-scaffold pack upgrade`"
        )
    ]


def test_a_pack_says_which_mcp_scaffold_it_requires(write_pack: WritePack) -> None:
    assert read_pack(write_pack(head=f'requires = ">={__version__},<99"')).name == "acme"


def test_links_to_files_and_folders_are_refused(write_pack: WritePack, tmp_path: Path) -> None:
    folder = write_pack()
    (tmp_path / "secret").mkdir()
    (folder / "folder").symlink_to(tmp_path / "secret")
    (folder / "link.j2").symlink_to(tmp_path / "secret")
    assert faults(folder) == [": the template cannot be read: it is a link"] * 2


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_what_no_project_can_have_everywhere_is_refused_and_a_pipe_is_not_waited_for(
    write_pack: WritePack,
) -> None:
    folder = write_pack(**{"a:b.j2": "", "aux.j2": "", "\x1b[2J.j2": ""})
    (folder / os.fsdecode(b"\xff.j2")).write_text("")
    os.mkfifo(folder / "pipe.j2")
    assert faults(folder) == [
        ": not a portable path: '\\x1b[2J.j2'",
        ": not a portable path: 'a:b.j2'",
        ": not a portable path: 'aux.j2'",
        ": the template cannot be read: it is not a file",
        ": not a portable path: '\\udcff.j2'",
    ]


@pytest.mark.parametrize(
    "table", sorted(builtin_packs().glob("*/pack.toml")), ids=lambda t: t.parent.name
)
def test_each_built_in_pack_has_the_templates_of_its_rows_and_no_other(table: Path) -> None:
    layers = read_layers(table.parent)
    (pack, *_) = layers
    assert pack.name == table.parent.name
    wanted = {row.template for row in pack.table.rows}
    assert wanted <= {path for layer in layers for path in (*layer.templates, *layer.copied)}
