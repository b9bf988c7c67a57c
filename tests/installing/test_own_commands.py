"""Claude Code is told by its own command what to write: it rewrites its file all the time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.clients.client import read_clients
from scaffold.clients.installing.choose import Asked, choose
from tests.installing.machines import PLAIN, TOKEN, Desk

pytestmark = pytest.mark.usefixtures("starts_programs")

RECORD = "with (home / 'calls').open('a') as calls: print(json.dumps(arguments), file=calls)\n"

CLAUDE = """
file = home / ".claude.json"
whole = json.loads(file.read_text()) if file.exists() else {"started": 0}
servers = whole.setdefault("mcpServers", {})
if arguments[1] == "add-json":
    if arguments[4] in servers:
        sys.exit(f"MCP server {arguments[4]} already exists")
    servers[arguments[4]] = json.loads(arguments[5])
else:
    del servers[arguments[4]]
whole["started"] += 1
file.write_text(json.dumps(whole, indent=2))
"""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk.at(tmp_path, PLAIN, TOKEN)


def calls(desk: Desk) -> list[list[str]]:
    path = desk.home / "calls"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def entry(desk: Desk) -> dict[str, Any]:
    return {
        "type": "stdio",
        "command": "/opt/uv",
        "args": ["--directory", str(desk.folder / "project"), "run", "ours"],
        "env": {"BLOG_LIMIT": "${BLOG_LIMIT:-5}", "BLOG_TOKEN": "${BLOG_TOKEN}"},
    }


def test_the_entry_arrives_whole_and_its_removal_is_asked_for(desk: Desk) -> None:
    desk.fake("claude", RECORD + CLAUDE)
    desk.install("claude-code")
    (added,) = calls(desk)
    assert added[:-1] == ["mcp", "add-json", "--scope", "user", "ours"]
    assert json.loads(added[-1]) == entry(desk)
    assert desk.remove("claude-code") == 1
    assert calls(desk)[1] == ["mcp", "remove", "--scope", "user", "ours"]
    assert json.loads((desk.home / ".claude.json").read_text()) == {"started": 2, "mcpServers": {}}


def test_installing_another_transport_replaces_the_entry(desk: Desk) -> None:
    desk.fake("claude", RECORD + CLAUDE)
    desk.install("claude-code")
    desk.install("claude-code", None, None, "streamable-http")
    assert [call[1] for call in calls(desk)] == ["add-json", "remove", "add-json"]
    assert desk.install("claude-code", None, None, "streamable-http").done


@pytest.mark.parametrize("work", [Desk.install, Desk.remove])
def test_what_somebody_wrote_into_our_entry_is_in_a_copy(
    desk: Desk, work: Callable[[Desk, str], object]
) -> None:
    desk.fake("claude", CLAUDE)
    desk.install("claude-code")
    file = desk.home / ".claude.json"
    whole = json.loads(file.read_text())
    whole["mcpServers"]["ours"]["env"]["MY"] = "precious"
    file.write_text(edited := json.dumps(whole))
    work(desk, "claude-code")
    assert "precious" not in file.read_text()
    assert file.with_name(".claude.json.before-mcp-scaffold").read_text() == edited


def test_a_command_that_does_not_do_its_work_is_an_error(desk: Desk) -> None:
    desk.fake("claude", "sys.exit('cannot store it')")
    before = desk.files()
    with pytest.raises(ScaffoldError, match="failed with exit code 1: cannot store it"):
        desk.install("claude-code")
    tool = desk.fake("claude", "")
    with pytest.raises(ScaffoldError, match="succeeded, but there is no entry `ours`"):
        desk.install("claude-code")
    assert desk.files() == before
    desk.fake("claude", CLAUDE)
    desk.install("claude-code")
    desk.fake("claude", "")
    with pytest.raises(ScaffoldError, match="left the entry `ours`"):
        desk.remove("claude-code")
    tool.write_text("#!/no/python\n")
    with pytest.raises(ScaffoldError, match="does not start: No such file"):
        desk.remove("claude-code")


def test_a_dry_run_starts_nothing(desk: Desk) -> None:
    tool = desk.fake("claude", RECORD)
    choice = desk.plan("claude-code").choice
    assert choice.typed.startswith(f"{tool} mcp add-json --scope user ours")
    assert calls(desk) == []


@pytest.mark.parametrize("transport", ["stdio", "streamable-http"])
@pytest.mark.parametrize("required", [True, False], ids=["required", "optional"])
def test_no_command_gets_a_secret(tmp_path: Path, transport: str, required: bool) -> None:
    token = replace(TOKEN, required=required)
    desk = Desk.at(tmp_path, PLAIN, token, environ={"BLOG_TOKEN": "s3cr'\"t TOK"})
    bearer = None if transport == "stdio" else "BLOG_TOKEN"
    subject = replace(desk.subject, server=replace(desk.subject.server, bearer_env=bearer))
    for client in (one for one in read_clients() if one.command):
        desk.fake(client.program, RECORD)
        choice = choose(subject, client, Asked(transport=transport), desk.machine)
        assert choice.means == "command"
        assert "s3cr" not in " ".join(choice.command or ())
        assert "BLOG_TOKEN" in " ".join(choice.command or ())


def test_without_the_command_the_file_of_the_project_is_used(desk: Desk) -> None:
    made = desk.install("claude-code")
    assert (made.choice.means, made.choice.path) == ("project", desk.folder / "project/.mcp.json")
    written = json.loads((desk.folder / "project/.mcp.json").read_text())
    assert written == {"mcpServers": {"ours": entry(desk)}}
