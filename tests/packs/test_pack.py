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


def test_all_faults_of_a_table_are_told_at_once_with_their_lines(write_pack: WritePack) -> None:
    folder = write_pack(
        row(template='"a.j2"', ownr='"merged"')
        + row(template='"b.txt"', owner='"shared"', each='"Tools"', executable='"yes"')
        + row(owner='"owned"'),
        head='extend = "python"',
    )
    assert faults(folder) == [
        "3: unknown key `extend`; did you mean `extends`?",
        "4: the key `owner` is missing",
        "6: unknown key `ownr`; did you mean `owner`?",
        "8: `template` is not the path of a `.j2` file in the pack, or of one below `files/` or `runtime/`",
        "9: `owner` is not `generated`, `merged` or `owned`",
        "10: `each` is not a name in the singular, such as `tool`",
        "11: `executable` is not true or false",
        "12: the key `template` is missing",
    ]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("../x", "not a path inside the project"),
        ("/etc/passwd", "not a path inside the project"),
        ("a//b", "not a path inside the project"),
        ("{{ project.package }}/../../x", "not a path inside the project"),
        (r"C:\\x", "not a portable path"),
        ("a/b.", "not a portable path"),
        ("a \\u0000", "not a portable path"),
        (".git/hooks/pre-commit", "inside a git directory"),
        ("sub/.GIT/config", "inside a git directory"),
        (".scaffold/lock.json", "a pack cannot write"),
        ("MCP.yaml", "a pack cannot write"),
        ("a" * 241, "too long for some systems"),
        ("a/" * 400 + "a", "too long for some systems"),
        ("{{ project.tools[0] }}", "not a path with `{{ dotted.names }}` in it"),
        ("{{ project._secret }}", "not a path with `{{ dotted.names }}` in it"),
        ("{% if x %}a{% endif %}", "not a path with `{{ dotted.names }}` in it"),
    ],
)
def test_a_path_that_no_pack_may_claim_is_refused(
    path: str, why: str, write_pack: WritePack
) -> None:
    (fault,) = faults(write_pack(row(template='"a.j2"', path=f'"{path}"', owner='"owned"')))
    assert fault.startswith("6: ")
    assert why in fault


@pytest.mark.parametrize(
    ("head", "fault"),
    [
        ("files = 3", "`files` is not a list of tables, each under `[[files]]`"),
        ("files = [1, {}]", "`files` is not a list of tables, each under `[[files]]`"),
        ('extends = "a b"', "`extends` is not the name of a pack, or the address of one"),
        (
            'extends = "../x"',
            (
                "`../x`, which the pack extends, is not stored with it; restore it from version "
                "control, or run `mcp-scaffold pack upgrade`"
            ),
        ),
        ('extends = "pythn"', "no pack `pythn`; did you mean `python`?"),
        ("=", "cannot read the pack's table: Invalid statement (at line 3, column 1)"),
    ],
)
def test_what_is_wrong_at_the_top_is_told(head: str, fault: str, write_pack: WritePack) -> None:
    assert faults(write_pack(head=head)) == [f"3: {fault}"]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            'name = "a"\ncontract = 4\nnew = 1\n',
            "2: pack `a` has contract 4, but mcp-scaffold {} supports contract 3; upgrade mcp-scaffold",
        ),
        (
            'name = "a"\nrequires = ">=99.1"\ncontract = 3\n',
            "2: pack `a` requires mcp-scaffold >=99.1, but this is {}; upgrade mcp-scaffold",
        ),
        (
            'name = "a"\ncontract = 1\n',
            "2: `contract` is not 3, the contract of this mcp-scaffold",
        ),
        (
            'name = "a"\ncontract = 3\nrequires = "0.3"\n',
            "3: `requires` is not a version requirement, such as `>=0.3`",
        ),
        (
            'name = "a"\ncontract = 3\nrequires = ""\n',
            "3: `requires` is not a version requirement, such as `>=0.3`",
        ),
    ],
)
def test_a_pack_for_another_mcp_scaffold_is_refused(table: str, said: str, tmp_path: Path) -> None:
    """A later one may have keys that this one does not know: they are not told."""
    (tmp_path / "pack.toml").write_text(table)
    assert faults(tmp_path) == [said.format(__version__)]


def test_a_pack_says_which_mcp_scaffold_it_requires(write_pack: WritePack) -> None:
    assert read_pack(write_pack(head=f'requires = ">={__version__},<99"')).name == "acme"


@pytest.mark.parametrize("text", [b"\xff", b"a = " + b"[" * 10_000])
def test_a_table_that_is_no_toml_is_an_error(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_bytes(text)
    (fault,) = faults(tmp_path)
    assert "cannot read the pack's table" in fault


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


def test_templates_that_are_no_text_or_hold_a_conflict_are_refused(write_pack: WritePack) -> None:
    folder = write_pack(**{"conflict.j2": "a\n<<<<<<< yours\nb\n=======\nc\n>>>>>>> template\n"})
    (folder / "bytes.j2").write_bytes(b"\xff")
    assert faults(folder) == [
        (
            ": the template cannot be read: 'utf-8' codec can't decode byte 0xff in position 0:"
            " invalid start byte"
        ),
        "2: the template has unresolved conflict markers; resolve the conflict, and remove the markers",
    ]


def test_a_pack_cannot_be_called_like_the_one_that_it_extends(write_pack: WritePack) -> None:
    folder = write_pack(name="python", head='extends = "python"')
    assert faults(folder) == ["3: pack `python` extends itself"]


@pytest.mark.parametrize(
    "table", sorted(builtin_packs().glob("*/pack.toml")), ids=lambda t: t.parent.name
)
def test_each_built_in_pack_has_the_templates_of_its_rows_and_no_other(table: Path) -> None:
    layers = read_layers(table.parent)
    (pack, *_) = layers
    assert pack.name == table.parent.name
    wanted = {row.template for row in pack.table.rows}
    assert wanted <= {path for layer in layers for path in (*layer.templates, *layer.copied)}
