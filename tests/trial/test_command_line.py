"""`clients test` says what it found, for people and for programs, and exits accordingly."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.installing.commands import Run, run_clients, settle
from tests.trial.entries import KNOB_SERVER

SPEC = """\
name: blog
version: 1.0.0
tools:
  - name: search
    description: Find posts.
    inputSchema: {type: object}
env:
  - {name: TOKEN, description: A token, required: true, secret: true}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, and a project beside it in which the commands run."""
    home, project = tmp_path / "home", tmp_path / "blog"
    settle(project, home, monkeypatch)
    (project / "mcp.yaml").write_text(SPEC)
    monkeypatch.setenv("TOKEN", "s3cret-value")
    return home


@pytest.fixture
def run(home: Path) -> Run:
    return run_clients


def put(home: Path, file: str, **knobs: Any) -> Path:
    """Write an entry for a server into a client's file."""
    path = home / file
    path.parent.mkdir(exist_ok=True, parents=True)
    fields = {"type": "stdio", "command": sys.executable, "args": [KNOB_SERVER, json.dumps(knobs)]}
    text = {"mcpServers": {"other": {}, "blog": {**fields, "env": {"TOKEN": "s3cret-value"}}}}
    path.write_text(json.dumps(text))
    return path


def test_each_client_with_an_entry_is_tried(run: Run, home: Path) -> None:
    cursor = put(home, ".cursor/mcp.json")
    claude = put(home, ".claude.json")
    lines = run("test").stdout.splitlines()
    assert [line.partition(",")[0] for line in lines] == [
        "Claude Code: works over stdio",
        "Cursor: works over stdio",
    ]
    assert [line.rpartition(" ")[2] for line in lines] == [f"({claude})", f"({cursor})"]
    assert "1 tool, first answer after 0." in lines[0]
    assert "it waits 30 s" in lines[0]


def test_one_client_that_fails_is_an_exit_code_and_says_why(run: Run, home: Path) -> None:
    put(home, ".claude.json")
    path = put(home, ".cursor/mcp.json", before="Loading with s3cret-value")
    result = run("test", code=1)
    assert f"Cursor: does not work ({path})" in result.stdout
    assert "Claude Code: works over stdio" in result.stdout
    assert "error[client-output]" in result.stderr
    assert "`Loading with ${TOKEN}`" in result.stderr
    assert run("test", "--client", "claude-code").stderr == ""
    path.write_text("{")
    result = run("test", code=1)
    assert "Claude Code: works over stdio" in result.stdout
    assert "error[client-file-invalid]" in result.stderr


def test_programs_get_the_findings_as_data(run: Run, home: Path) -> None:
    path = put(home, ".cursor/mcp.json", tools=["find"])
    whole = json.loads(run("test", "--format", "json", code=1).stdout)
    (row,) = whole["clients"]
    assert whole["server"] == "blog"
    assert (row["client"], row["works"], row["path"]) == ("cursor", False, str(path))
    assert (row["transport"], row["protocol"], row["tools"]) == ("stdio", "2025-11-25", 1)
    assert [one["id"] for one in row["diagnostics"]] == ["client-server"]


def test_a_client_without_an_entry_fails_if_it_is_named(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run("test", "--client", "zed", code=1)
    assert "Zed has no entry for `blog`" in result.stderr
    assert "`mcp-scaffold clients install --client zed`" in result.stderr
    said = (
        "no client has an entry for `blog`; `mcp-scaffold clients install --client ID` writes one"
    )
    assert said in run("test", code=1).stderr
    assert "is in its dialog" in run("test", "--client", "raycast", code=1).stderr
    monkeypatch.chdir(home)
    result = run("test", "../blog", "--client", "zed", code=1)
    assert "`mcp-scaffold clients install ../blog --client zed`" in result.stderr


@pytest.fixture
def installed(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Return the project's file with an entry for one of the clients that share it."""
    uv = home / "uv"
    uv.write_text(f"#!/bin/sh\nexec {sys.executable} {KNOB_SERVER}\n")
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", f"{home}:/usr/bin:/bin")

    def install(client: str) -> Path:
        run("install", "--client", client, "--via", "project")
        return home.parent / "blog/.mcp.json"

    return install


def test_an_entry_that_clients_share_is_tried_for_those_that_are_here_or_for_all(
    run: Run, installed: Callable[[str], Path], home: Path
) -> None:
    installed("copilot-cli")
    assert len(run("test").stdout.splitlines()) == 2
    (home / ".claude.json").write_text("{}")
    (line,) = run("test").stdout.splitlines()
    assert line.startswith("Claude Code: works over stdio")
    (line,) = run("test", "--client", "copilot-cli").stdout.splitlines()
    assert line.startswith("GitHub Copilot CLI: works over stdio")


@pytest.mark.parametrize(
    ("path", "is_found"),
    [
        ("<copy>/src/../", True),
        ("A=<copy>/src", True),
        ("../copy/src", True),
        ("<blog>/.venv", False),
        ("link/src", False),
        ("/tmp", False),
        ("http://x/y", False),
    ],
)
def test_a_path_into_a_copy_of_the_project_is_found_and_no_other_is(
    run: Run, home: Path, path: str, is_found: bool
) -> None:
    blog, copy = home.parent / "blog", home.parent / "copy"
    shutil.copytree(blog, copy)
    (home / "link").symlink_to(blog)
    word = path.replace("<copy>", str(copy)).replace("<blog>", str(blog))
    command = {"type": "stdio", "command": sys.executable, "args": [KNOB_SERVER, "{}", word]}
    for cwd in (blog, copy) if is_found else (blog,):
        entries = {"mcpServers": {"blog": {**command, "cwd": str(cwd)}}}
        (home / ".claude.json").write_text(json.dumps(entries))
        result = run("test", code=int(is_found))
        said = f"error[client-server] it starts the server of `{copy}`"
        assert (said in result.stderr) == is_found


TRUST = '[projects."<blog>"]\ntrust_level = "%s"\n'
NOT_TRUSTED = "only if you trust the project"
OFF = '{"projects": {"<blog>": {"disabledMcpjsonServers": ["blog"]}}}'
OTHER = '{"projects": {"<blog>": {"mcpServers": {"blog": {"command": "/no"}}}}}'


@pytest.mark.parametrize(
    ("client", "file", "text", "said"),
    [
        ("codex", ".codex/config.toml", "", NOT_TRUSTED),
        ("codex", ".codex/config.toml", TRUST % "untrusted", NOT_TRUSTED),
        ("codex", ".codex/config.toml", "[", NOT_TRUSTED),
        ("codex", ".codex/config.toml", TRUST % "trusted", ""),
        ("claude-code", ".claude.json", OFF, "is told by `disabledMcpjsonServers`"),
        ("claude-code", ".claude.json", OFF.replace("<blog>", "/elsewhere"), ""),
        ("claude-code", ".claude.json", OTHER, "uses another entry of that name"),
        ("gemini-cli", ".gemini/settings.json", '{"mcp": {"excluded": ["blog"]}}', "`mcp.excluded`"),
        ("gemini-cli", ".gemini/settings.json", '{"mcp": {"allowed": ["other"]}}', "`mcp.allowed`"),
        ("gemini-cli", ".gemini/settings.json", '{"mcp": {"allowed": ["blog"]}}', ""),
        ("gemini-cli", ".gemini/settings.json", '{"mcp": {"allowed": "blog", "excluded": 7}}', ""),
    ],
)  # fmt: skip
def test_settings_outside_of_the_entry_are_heeded(
    run: Run,
    installed: Callable[[str], Path],
    home: Path,
    client: str,
    file: str,
    text: str,
    said: str,
) -> None:
    installed(client)
    path = home / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text.replace("<blog>", str(home.parent / "blog")))
    assert said in run("test", "--client", client, code=int(bool(said))).stderr
