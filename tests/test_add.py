"""`mcp-scaffold add`: a new entry at its place in the spec, and all other bytes as they were."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from scaffold.base.diagnostics import ScaffoldError
from scaffold.commands.add import add
from tests import command

HEAD = 'name: demo\nversion: "1"\n'
TOOL = "- name: old\n  description: Is old.\n  inputSchema: {type: object}\n"
FLOW = '[{name: old, description: "Old", inputSchema: {type: object}}]'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    (folder / "start.yaml").write_text(f"{HEAD}tools:\n{TOOL}")
    assert command.run("new", "start.yaml", "demo", cwd=folder).code == 0
    return folder / "demo"


@pytest.fixture
def demo(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "demo"))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("tool", f"{HEAD}tools:\n{TOOL}"),
        ("tool", f"{HEAD}tools:\n  {TOOL.replace(chr(10), chr(10) + '  ').strip()}"),
        ("tool", f"{HEAD}tools:\n{TOOL}  # errors: [X]\n\n# The end.\n"),
        ("tool", f"tools:\n{TOOL}{HEAD}"),
        (
            "tool",
            f"{HEAD}tools:\n{TOOL}  instructions: |\n    A text.\n\nicons: []\n".replace(
                "  instr", "  x-instr"
            ),
        ),
        ("tool", f"{HEAD}tools: {FLOW}\n"),
        ("tool", f"{HEAD}tools: {FLOW}\n".replace("[{", "[\n  {").replace("}]", "},\n]")),
        ("tool", f'{{"name": "demo", "version": "1", "tools": {FLOW}}}'),
        ("prompt", f'{{"name": "demo", "version": "1",\n "tools": {FLOW}\n}}'),
        ("prompt", f"{HEAD}tools:\n{TOOL}"),
        ("prompt", f"{HEAD}prompts: []\ntools:\n{TOOL}"),
        ("tool", f"{HEAD}tools: {FLOW[:-1]} # the end\n  ]\n"),
        ("tool", f"{HEAD}tools: {FLOW[:-1]}, # the end\n  ]\n".replace("\n", "\r\n")),
        ("tool", f"{HEAD}tools: &all\n{TOOL}"),
        (
            "tool",
            f"x-any: &any {{type: object}}\n{HEAD}tools:\n{TOOL}".replace(
                "{type: object}\n", "*any\n"
            ).replace("&any *any", "&any {type: object}"),
        ),
        ("resource", f"{HEAD}tools:\n{TOOL}".replace("\n", "\r\n")),
        ("resource", f"{HEAD}tools:\n{TOOL}".rstrip()),
    ],
    ids=str,
)
def test_the_entry_is_added_and_every_other_byte_stays(demo: Path, kind: str, text: str) -> None:
    (demo / "mcp.yaml").write_bytes(text.encode())
    ended = command.run("add", kind, "new_one", cwd=demo)
    assert ended.code == 0, ended
    after = (demo / "mcp.yaml").read_bytes().decode()
    before, value = yaml.safe_load(text), yaml.safe_load(after)
    [*old, new] = value[f"{kind}s"]
    assert new["name"] == "new_one"
    assert {**value, f"{kind}s": old} == {**before, f"{kind}s": before.get(f"{kind}s") or []}
    characters = iter(after)
    assert all(character in characters for character in text.replace("[]", ""))
    assert command.run("regenerate", "--check", cwd=demo).code == 0


@pytest.mark.parametrize("name", ["old", "Bad Name", "on\nx: 1", '"', ""])
def test_a_name_that_is_wrong_or_taken_changes_nothing(demo: Path, name: str) -> None:
    before = (demo / "mcp.yaml").read_bytes()
    with pytest.raises(ScaffoldError):
        add(demo, "tool", name)
    assert (demo / "mcp.yaml").read_bytes() == before


def test_an_error_keeps_its_hint(demo: Path) -> None:
    ended = command.run("add", "tool", "Bad Name", cwd=demo)
    assert "Use at most 128 letters" in ended.err
    assert "; nothing was written" in ended.err


@pytest.mark.parametrize("path", ["src/demo/_generated/server.py", "src/demo/tools/new_one.py/x"])
def test_nothing_is_added_to_a_project_that_cannot_be_updated(demo: Path, path: str) -> None:
    (demo / path).parent.mkdir(exist_ok=True)
    (demo / path).write_text("edited\n")
    before = (demo / "mcp.yaml").read_bytes()
    ended = command.run("add", "tool", "new_one", cwd=demo)
    assert ended.code
    assert "added" not in ended.err
    assert (demo / "mcp.yaml").read_bytes() == before


def test_the_report_names_the_place_and_the_next_command(demo: Path) -> None:
    ended = command.run("add", "tool", "yes", cwd=demo)
    lines = ended.err.splitlines()
    assert lines[0] == "added the tool `yes`: mcp.yaml:11"
    assert "create    src/demo/tools/yes.py  (a stub for you to fill in)" in lines
    assert lines[-1].endswith("then run `mcp-scaffold check`")
    assert '- name: "yes"' in (demo / "mcp.yaml").read_text()


def test_a_spec_with_errors_is_left_alone_and_they_are_told(demo: Path) -> None:
    (demo / "mcp.yaml").write_text(f"{HEAD}tools:\n{TOOL}nmae: x\n")
    ended = command.run("add", "tool", "new_one", cwd=demo)
    assert ended.code == 2
    assert "unknown-key" in ended.err
    assert "new_one" not in (demo / "mcp.yaml").read_text()
