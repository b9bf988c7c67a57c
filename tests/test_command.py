"""The installed command ends as a command should, whatever becomes of its output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from scaffold.cli.main import main

pytestmark = pytest.mark.usefixtures("starts_programs")

COMMAND = Path(sys.executable).with_name("mcp-scaffold")
FULL = Path("/dev/full")


def exit_code(*arguments: str, shell: str = "") -> tuple[int, str]:
    script = f'"$@" {shell}'
    done = subprocess.run(
        ["sh", "-c", script, "sh", str(COMMAND), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(("arguments", "code"), [(["--version"], 0), (["nothing"], 2)])
def test_the_exit_code_arrives(arguments: list[str], code: int) -> None:
    assert exit_code(*arguments)[0] == code


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pack", "upgrade", "--to", ""], "the argument after `--to` is empty"),
        (["pack", "upgrade", "--pack="], "the value of `--pack` is empty"),
        (["regenerate", ""], "the argument after `regenerate` is empty"),
        (["status", "a", ""], "the argument after `a` is empty"),
        (["new", "spec.yaml", "", "--pack", "x"], "the argument after `spec.yaml` is empty"),
        (["pack", "show", ""], "the argument after `show` is empty"),
        ([""], "the argument after `mcp-scaffold` is empty"),
    ],
)
def test_an_empty_argument_is_an_error_and_no_default(arguments: list[str], said: str) -> None:
    code, err = exit_code(*arguments)
    assert (code, err.strip().splitlines()[-1]) == (2, f"Error: {said}")


def test_the_command_of_a_server_may_have_an_empty_argument() -> None:
    code, err = exit_code("import", "--", "false", "")
    assert (code, "is empty" in err) == (2, False)


def test_a_reader_that_has_gone_is_no_traceback() -> None:
    code, errors = exit_code("schema", shell="| head -c 1; exit 3")
    assert (code, errors) == (3, "")


def test_closed_standard_output_is_no_traceback() -> None:
    assert exit_code("schema", shell=">&-") == (0, "")


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_a_full_disk_below_standard_output_is_an_error() -> None:
    assert exit_code("schema", shell=">/dev/full") == (2, "error: No space left on device\n")


def commands(group: click.Group, *names: str) -> Iterator[tuple[str, ...]]:
    """The names of a group's commands, each after those of its groups."""
    yield names
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, *names, name)
        else:
            yield (*names, name)


@pytest.mark.parametrize("names", [*commands(main)], ids=" ".join)
def test_help_is_not_cut_off(names: tuple[str, ...]) -> None:
    shown = subprocess.run(
        [COMMAND, *names, "--help"],
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines[1:] if line.endswith("...")]


@pytest.mark.parametrize(
    "words",
    [
        "breaking a.yaml --against b.yaml",
        "clients install --client cursor",
        "clients list",
        "clients remove --all",
        "clients show",
        "clients test",
        "import a.json",
        "new a.yaml",
        "pack check a",
        "pack eject a",
        "pack new a/b",
        "pack show a",
        "pack upgrade",
        "publish --check",
        "regenerate",
        "status",
        "validate a.yaml",
    ],
)
def test_programs_get_the_errors_of_every_command_as_json_alone(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(main, [*words.split(), "--format", "json"])
    assert (ran.exit_code, ran.stderr) == (2, ""), ran.output
    diagnostics = json.loads(ran.stdout)["diagnostics"]
    assert [one["severity"] for one in diagnostics] == ["error"]
    assert all(one["id"] and one["message"] for one in diagnostics)
