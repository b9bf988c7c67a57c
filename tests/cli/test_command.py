"""The installed command ends as a command should, whatever becomes of its output."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from scaffold import __version__
from scaffold.cli.main import main
from scaffold.cli.projects import INTERRUPTED, Projects, each
from scaffold.cli.report import Report
from scaffold.commands.starter import starters

COMMAND = Path(sys.executable).with_name("mcp-scaffold")
FULL = Path("/dev/full")
SPEC = Path(__file__).parents[2] / "specs/weather.yaml"


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.parametrize(
    ("words", "code", "errors"),
    [
        ("--version", 0, ""),
        ("schema | head -c 1; exit 3", 3, ""),
        ("schema >&-", 0, ""),
        pytest.param(
            *("schema >/dev/full", 2, "error: No space left on device\n"),
            marks=pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here"),
        ),
    ],
)
def test_a_closed_pipe_or_a_full_disk_prints_no_traceback(
    words: str, code: int, errors: str
) -> None:
    script = f"'{COMMAND}' {words}"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, errors)


SLOW = {"pydantic", "yaml", "jsonschema_rs", "scaffold.cli.validate"}
GENERATING = {"jinja2", "scaffold.languages.python.code", "scaffold.languages.python.format"}


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.parametrize(
    ("words", "unused"),
    [
        (["--version"], SLOW),
        (["--help"], SLOW),
        (["validate", str(SPEC)], GENERATING),
    ],
    ids=["version", "help", "validate"],
)
def test_a_run_imports_only_what_it_needs(words: list[str], unused: set[str]) -> None:
    code = (
        "import sys; from scaffold.cli.main import main\n"
        "try: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    )
    program = [sys.executable, "-c", code, *words]
    run = subprocess.run(program, capture_output=True, text=True, check=True)
    loaded = set(run.stderr.split())
    assert "click" in loaded
    assert not loaded & unused


@pytest.mark.parametrize(
    "words", [("--version", "--format", "json"), ("--format", "json", "--version")]
)
def test_versions_for_a_bug_report_are_printed_as_json(words: tuple[str, ...]) -> None:
    shown = json.loads(CliRunner().invoke(main, words).output)
    assert shown["mcp-scaffold"] == __version__
    assert shown["python"] == platform.python_version()
    assert shown["libraries"]["mcp"] == metadata.version("mcp")


def test_the_starters_are_listed_with_what_each_shows() -> None:
    lines = CliRunner().invoke(main, ["init", "--list"]).output.splitlines()
    assert lines == [f"{starter.name:9}  {starter.summary}" for starter in starters()]
    assert lines[0].startswith("minimal ")


def commands(group: click.Group, *names: str) -> Iterator[tuple[str, ...]]:
    """The names of a group's commands, each after those of its groups."""
    yield names
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, *names, name)
        else:
            yield (*names, name)


@pytest.mark.parametrize("names", [*commands(main)], ids=" ".join)
def test_help_texts_are_not_truncated(names: tuple[str, ...]) -> None:
    ran = CliRunner().invoke(main, [*names, "--help"], prog_name="mcp-scaffold", terminal_width=80)
    lines = ran.stdout.splitlines()
    assert ran.exit_code == 0
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines[1:] if line.endswith("...")]


def test_each_command_is_listed_with_the_first_sentence_of_its_help() -> None:
    listed = CliRunner().invoke(main, ["--help"]).stdout.partition("Commands:\n")[2]
    described = dict(line.split(maxsplit=1) for line in listed.splitlines())
    context = click.Context(main)
    by_name = {name: main.get_command(context, name) for name in main.list_commands(context)}
    assert described == {
        name: command.get_short_help_str(80) for name, command in by_name.items() if command
    }


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
    assert [diagnostic["severity"] for diagnostic in diagnostics] == ["error"]
    assert all(diagnostic["id"] and diagnostic["message"] for diagnostic in diagnostics)


def test_an_interrupt_ends_a_run_over_several_projects_with_a_report_of_each() -> None:
    def work(project: Path) -> Report:
        if project.name == "b":
            raise KeyboardInterrupt
        return Report(verdict="updated")

    report = each(work, Projects((Path("a"), Path("b"), Path("c")), several=True))
    verdicts = [part.verdict for part in report.parts.values()]
    assert verdicts == ["updated", "interrupted", "left out"]
    assert report.code == INTERRUPTED
