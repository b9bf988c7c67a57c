"""What the README of a project and `docs/running.md` say of running a server, done."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from scaffold.cli.main import main
from scaffold.teams.check import builtin_specs
from tests.generated import REPOSITORY, Generated, free_port, generate
from tests.raw_client import LEGACY, StdioClient, WireCheck
from tests.waiting import WITHIN

PAGES = ("running.md", "testing.md", "debugging.md", "handlers.md")
PAGE = "\n".join((REPOSITORY / "docs" / name).read_text("utf-8") for name in PAGES)
TOOL = {"name": "greet", "description": "Greet.", "inputSchema": {"type": "object"}}
SPEC = {
    "name": "greeter",
    "version": "1",
    "tools": [TOOL | {"examples": [{"name": "one"}]}],
    "transports": ["stdio", "streamable-http"],
    "env": [{"name": "GREETER_TOKEN", "secret": True, "required": False}],
}
GREET = """
async def greet(arguments, context):
    return "Hello"
"""
FAILING = """
async def greet(arguments, context):
    raise ValueError("deep inside")
"""
STOPPING = """
async def greet(arguments, context):
    number = 6
    breakpoint()
    return "Hello"
"""


def greeter(folder: Path, handler: str) -> Generated:
    return generate(SPEC, folder / "greeter", handlers={"tools/greet.py": handler})


def test_the_pages_of_a_project_that_does_not_pin_mcp_scaffold_run_that_on_the_path(
    tmp_path: Path,
) -> None:
    project = greeter(tmp_path, GREET)
    for page in ("README.md", "AGENTS.md"):
        text = (project.folder / page).read_text()
        assert "mcp-scaffold regenerate" in text, page
        assert "uv run mcp-scaffold" not in text, page
        assert "uvx" not in text, page


def test_each_mcp_scaffold_command_on_the_pages_exists(tmp_path: Path) -> None:
    project = greeter(tmp_path, GREET)
    pages = [PAGE] + [(project.folder / name).read_text() for name in ("README.md", "AGENTS.md")]
    commands = {
        match[1]
        for page in pages
        for match in re.finditer(r"\bmcp-scaffold ([a-z ]+[a-z])( --|`)", page)
    }
    assert commands >= {"regenerate", "pack show"}
    for command in commands:
        helped = CliRunner().invoke(main, [*command.split(), "--help"])
        assert helped.exit_code == 0, command
    script = project.script("--help")
    server = "".join(
        generate(builtin_specs()[name], tmp_path / name).run("--help").stdout.decode()
        for name in ("in-production", "tasks-behind-oauth")
    )
    for page in pages:
        shown = " ".join(re.findall(r"client\.py((?: --[a-z-]+)+)", page))
        for option in re.findall(r"--[a-z-]+", shown):
            assert option in script.stdout, option
    table = PAGE.partition("\n## Options\n")[2].partition("\n## ")[0]
    documented = {name for row in re.findall(r"^\| (`--.+?) \|", table, re.MULTILINE)
            for name in re.findall("--[a-z-]+", row)}  # fmt: skip
    assert documented == {*re.findall(r"^  (--[a-z-]+)", server, re.MULTILINE)} - {"--version"}


@pytest.mark.parametrize("kind", ["tools", "resources", "prompts"])
def test_each_file_that_the_readme_lists_is_there(tmp_path: Path, kind: str) -> None:
    entries = {
        "tools": TOOL,
        "resources": {"uri": "a://b", "name": "b", "text": "static"},
        "prompts": {"name": "ask"},
    }
    spec = {"name": "greeter", "version": "1", kind: [entries[kind]]}
    project = generate(spec, tmp_path / "greeter")
    layout = (project.folder / "README.md").read_text().partition("\n## Change it\n")[2]
    rows = re.findall(r"^\| (`.+?) \|", layout.partition("\n## ")[0], re.MULTILINE)
    paths = [path for row in rows for path in re.findall("`(.+?)`", row)]
    assert len(paths) >= 7
    assert [path for path in paths if not (project.folder / path).exists()] == []


def test_the_reference_of_a_failure_leads_to_its_traceback(
    tmp_path: Path, check: WireCheck
) -> None:
    project = greeter(tmp_path, FAILING)
    with StdioClient(project, LEGACY[-1], check) as client:
        (block,) = client.call("greet")["result"]["content"]
    reference = block["text"].removeprefix("Internal error, ")
    log = tmp_path / "server.log"
    log.write_text(client.log)
    grep = ["grep", "-A", "40", reference, str(log)]
    lines = subprocess.run(grep, capture_output=True, text=True, check=True).stdout
    assert "tools/greet.py" in lines
    assert "ValueError: deep inside" in lines
    dated = [bool(re.match(r"\d{4}-\d\d-\d\d ", line)) for line in lines.splitlines()]
    assert dated[:3] == [True, False, False]


def test_a_breakpoint_stops_a_server_over_http_in_its_terminal(tmp_path: Path) -> None:
    project = greeter(tmp_path, STOPPING)
    port = str(free_port())
    process = project.anew().spawn("--transport", "streamable-http", "--port", port)
    try:
        assert process.stdin
        assert process.stderr
        while b"running on http:" not in process.stderr.readline():
            assert process.poll() is None
        process.stdin.write(b"print(number * 7)\nc\n")
        process.stdin.flush()
        url = f"http://127.0.0.1:{port}/mcp"
        ran = project.script("--url", url, "call", "greet", "{}")
        assert ran.stdout == "Hello\n", ran.stderr
    finally:
        process.terminate()
        output, _ = process.communicate(timeout=WITHIN)
    assert b"42" in output


def test_the_page_for_agents_lists_the_files_to_edit_and_the_checks(tmp_path: Path) -> None:
    project = generate(SPEC, tmp_path / "greeter")
    page = (project.folder / "AGENTS.md").read_text()
    assert len(page.splitlines()) <= 16
    for path in re.findall(r"`([a-z_/.]+(?:/|\.py|\.md|\.yaml))`", page):
        assert (project.folder / path).exists(), path
    assert "`mcp-scaffold check --format json`" in page
