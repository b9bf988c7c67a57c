"""`mcp-scaffold check`: the spec, the generated files and the checks of the packs in one report."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests import command

SPEC = """\
name: demo
version: "1"
tools:
  - name: greet
    description: Greet somebody.
    inputSchema: {type: object}
"""
CHECKS = """\
contract = 3
checks = [
    { name = "format", run = "true" },
    { name = "lint", run = "test -f lint.ok", fix = "touch lint.ok" },
    { name = "types", run = "true" },
    { name = "tests", run = "no-such-program" },
    { name = "more", run = "echo 'a b'" },
]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    (folder / "mcp.yaml").write_text(SPEC)
    assert command.run("new", "mcp.yaml", "demo", cwd=folder).code == 0
    return folder / "demo"


@pytest.fixture
def demo(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with checks of its own, on a machine without uv."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    demo = Path(shutil.copytree(made, tmp_path / "demo"))
    (demo / "templates").mkdir()
    (demo / "templates/pack.toml").write_text(CHECKS)
    assert command.run("regenerate", cwd=demo).code == 0
    return demo


@pytest.mark.usefixtures("starts_programs")
def test_each_step_is_told_and_what_mends_it_comes_last(demo: Path) -> None:
    ended = command.run("check", cwd=demo)
    assert ended.code == 1
    assert (
        ended.err
        == """\
ok    spec       mcp-scaffold validate
ok    generated  mcp-scaffold regenerate --check
ok    format     true
FAIL  lint       test -f lint.ok
ok    types      true
FAIL  tests      no-such-program
      no-such-program is not installed
ok    more       echo 'a b'
failed: lint, tests
next:
  touch lint.ok
  python3 -m venv .venv && .venv/bin/pip install 'pip>=25.1' && .venv/bin/pip install -e . --group dev
"""
    )


@pytest.mark.usefixtures("starts_programs")
def test_what_mends_several_steps_is_told_once(demo: Path) -> None:
    table = demo / "templates/pack.toml"
    table.write_text(table.read_text().replace("test -f lint.ok", "no-such-linter"))
    said = command.run("check", demo).err.partition("failed: ")[2].splitlines()
    assert "lint, tests" in said[0]
    assert len([line for line in said if line.endswith("install -e . --group dev")]) == 1


@pytest.mark.usefixtures("starts_programs")
def test_programs_read_the_same_as_json(demo: Path) -> None:
    (demo / "lint.ok").touch()
    ended = command.run("check", demo, "--format", "json")
    steps = {step["id"]: step for step in json.loads(ended.out)["steps"]}
    assert ended.code == 1
    assert [*steps] == ["spec", "generated", "format", "lint", "types", "tests", "more"]
    assert {name: step["exit"] for name, step in steps.items() if step["exit"]} == {"tests": 1}
    assert steps["tests"]["output"] == "no-such-program is not installed\n"
    assert steps["lint"]["fix"] is None


@pytest.mark.usefixtures("starts_programs")
def test_a_project_behind_its_spec_fails_and_is_checked_all_the_same(demo: Path) -> None:
    spec = demo / "mcp.yaml"
    spec.write_text(spec.read_text().replace("Greet somebody", "Greet everybody"))
    ended = command.run("check", demo / "mcp.yaml")
    assert ended.code == 1
    assert "FAIL  generated" in ended.err
    assert "ok    types" in ended.err
    assert "next:\n  mcp-scaffold regenerate\n" in ended.err


def test_errors_of_the_spec_end_it(demo: Path) -> None:
    spec = demo / "mcp.yaml"
    spec.write_text(spec.read_text().replace("version", "verzion"))
    ended = command.run("check", demo)
    assert ended.code == 2
    assert "unknown key `verzion`" in ended.err
    assert "generated" not in ended.err
    assert "next:\n  mcp-scaffold validate --fix\n" in ended.err


def test_a_folder_that_is_no_project_is_refused(tmp_path: Path) -> None:
    ended = command.run("check", tmp_path)
    assert ended.code == 2
    assert "no-project" in ended.err


@pytest.mark.parametrize("check", ['name = "types"', 'name = "types", run = "mypy \'src"'])
def test_a_check_that_is_no_command_is_told_with_its_place(demo: Path, check: str) -> None:
    (demo / "templates/pack.toml").write_text(f"contract = 3\nchecks = [{{ {check} }}]\n")
    ended = command.run("check", demo)
    assert ended.code == 2
    assert "pack.toml:2:1: error[pack-value] `checks` is not a list of" in ended.err
