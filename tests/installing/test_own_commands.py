"""A client's own command is used if it is there, and told exactly what the client needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scaffold.clients.client import client_ids, read_client
from scaffold.clients.installing.choose import Asked, choose
from scaffold.diagnostics import ScaffoldError
from tests.installing.machines import PLAIN, TOKEN, Desk

RECORD = "with (home / 'calls').open('a') as calls: print(json.dumps([*arguments, str(Path.cwd())]), file=calls)\n"

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


def calls(desk: Desk) -> list[list[str]]:
    path = desk.home / "calls"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk.at(tmp_path, PLAIN, TOKEN)


def entry(desk: Desk) -> dict[str, Any]:
    return {
        "type": "stdio",
        "command": "/opt/uv",
        "args": ["--directory", str(desk.folder / "project"), "run", "ours"],
        "env": {"BLOG_LIMIT": "${BLOG_LIMIT:-5}", "BLOG_TOKEN": "${BLOG_TOKEN}"},
    }


@pytest.mark.usefixtures("starts_programs")
def test_the_entry_arrives_whole_and_its_removal_is_asked_for(desk: Desk) -> None:
    desk.fake("claude", RECORD + CLAUDE)
    desk.install("claude-code")
    (added,) = calls(desk)
    assert added[:-2] == ["mcp", "add-json", "--scope", "user", "ours"]
    assert json.loads(added[-2]) == entry(desk)
    (receipt,) = desk.store.all()
    assert (receipt.means, receipt.path) == ("command", str(desk.home / ".claude.json"))
    file = desk.home / ".claude.json"
    file.write_text(file.read_text().replace('"started": 1', '"started": 7'))  # it runs again
    desk.remove()
    assert calls(desk)[1][:-1] == ["mcp", "remove", "--scope", "user", "ours"]
    assert json.loads(file.read_text()) == {"started": 8, "mcpServers": {}}
    assert desk.store.all() == ()


@pytest.mark.usefixtures("starts_programs")
def test_if_nothing_else_has_changed_the_file_is_as_it_was_to_the_byte(desk: Desk) -> None:
    desk.fake("claude", CLAUDE)
    file = desk.home / ".claude.json"
    file.write_bytes(b'{ "started" : 1,\r\n "odd": [ ] }')
    before = desk.files()
    desk.install("claude-code")
    assert desk.files() != before
    desk.remove()
    assert desk.files() == before


@pytest.mark.usefixtures("starts_programs")
def test_a_file_that_the_command_made_goes_with_the_entry(desk: Desk) -> None:
    desk.fake("claude", CLAUDE)
    before = desk.files()
    desk.install("claude-code")
    desk.remove()
    assert desk.files() == before


@pytest.mark.usefixtures("starts_programs")
def test_installing_another_transport_replaces_the_entry(desk: Desk) -> None:
    desk.fake("claude", RECORD + CLAUDE)
    desk.install("claude-code")
    desk.install("claude-code", None, None, "streamable-http")
    assert [call[1] for call in calls(desk)] == ["add-json", "remove", "add-json"]
    assert desk.install("claude-code", None, None, "streamable-http").done
    assert len(calls(desk)) == 3
    desk.remove()
    assert not (desk.home / ".claude.json").exists()


@pytest.mark.usefixtures("starts_programs")
def test_success_without_an_entry_is_a_failure(desk: Desk) -> None:
    desk.fake("claude", "")
    with pytest.raises(ScaffoldError, match="succeeded, but there is no entry `ours`"):
        desk.install("claude-code")
    assert desk.store.all() == ()


@pytest.mark.usefixtures("starts_programs")
def test_a_client_may_choose_another_suffix_for_its_new_file(desk: Desk) -> None:
    desk.fake(
        "opencode",
        "file = home / '.config/opencode/opencode.jsonc'\n"
        "file.parent.mkdir(parents=True)\n"
        'file.write_text(\'{"mcp": {"ours": {}} // new\\n}\')\n',
    )
    desk.install("opencode")
    (receipt,) = desk.store.all()
    assert receipt.path == str(desk.home / ".config/opencode/opencode.jsonc")
    desk.remove()
    assert desk.files() == {"home": b"", "project": b""}


@pytest.mark.usefixtures("starts_programs")
def test_a_failing_command_is_an_error_with_its_words(desk: Desk) -> None:
    desk.fake("claude", "sys.exit('cannot store it')")
    before = desk.files()
    with pytest.raises(ScaffoldError, match="failed with exit code 1: cannot store it"):
        desk.install("claude-code")
    assert (desk.files(), desk.store.all()) == (before, ())


def test_a_dry_run_starts_nothing(tmp_path: Path) -> None:
    desk = Desk.at(tmp_path, PLAIN)
    tool = desk.fake("auggie", RECORD)
    made = desk.plan(read_client("auggie"))
    assert made.choice.means == "command"
    shown = made.choice.typed
    assert shown.startswith(f"{tool} mcp add ours --command /opt/uv")
    assert shown.endswith("--env BLOG_LIMIT=5")
    assert calls(desk) == []


@pytest.mark.parametrize(
    "id",
    [id for id in client_ids() if read_client(id).command and "linux" in read_client(id).files],
)
@pytest.mark.parametrize("transport", ["stdio", "streamable-http"])
@pytest.mark.parametrize("required", [True, False], ids=["required", "optional"])
def test_no_command_gets_a_secret(tmp_path: Path, id: str, transport: str, required: bool) -> None:
    token = replace(TOKEN, required=required)
    desk = Desk.at(tmp_path, PLAIN, token, environ={"BLOG_TOKEN": "s3cr'\"t TOK"})
    bearer = None if transport == "stdio" else "BLOG_TOKEN"
    subject = replace(desk.subject, server=replace(desk.subject.server, bearer_env=bearer))
    client = read_client(id)
    assert client.command
    desk.fake(client.command.program, RECORD)
    choice = choose(subject, client, Asked(transport=transport), desk.machine)
    assert "s3cr" not in " ".join(choice.command or ())
    held = str((choice.entry.fields, choice.entry.inputs))
    assert any(word in held for word in ("BLOG_TOKEN", "blog-token", "s3cr"))


def test_a_secret_goes_into_the_file_instead(desk: Desk) -> None:
    secret = Desk.at(desk.folder, TOKEN, environ={"BLOG_TOKEN": "s3cr3t-token"})
    secret.fake("auggie", RECORD)
    with pytest.raises(ScaffoldError, match="could see the secret that its command would get"):
        secret.install("auggie", None, "command")
    made = secret.install("auggie")
    assert (made.choice.means, made.choice.scope, calls(desk)) == ("file", "user", [])


def test_claude_desktop_is_not_configured_by_the_command_of_claude_code(desk: Desk) -> None:
    secret = Desk.at(desk.folder, TOKEN, environ={"BLOG_TOKEN": "s3cr3t-token"})
    secret.fake("claude", RECORD + CLAUDE)
    path = desk.home / ".config/Claude/claude_desktop_config.json"
    assert secret.install("claude-desktop").choice.path == path
    assert (calls(desk), json.loads(path.read_text())["mcpServers"].keys()) == ([], {"ours"})
    (removal,) = secret.remove()
    assert not removal.gone


def test_without_the_command_the_next_means_is_used(desk: Desk) -> None:
    made = desk.install("claude-code")
    assert (made.choice.means, made.choice.path) == ("project", desk.folder / "project/.mcp.json")
    assert json.loads((desk.folder / "project/.mcp.json").read_text()) == {
        "mcpServers": {"ours": entry(desk)}
    }


@pytest.mark.usefixtures("starts_programs")
def test_a_command_for_the_project_runs_in_the_project(desk: Desk) -> None:
    desk.fake("claude", RECORD + CLAUDE.replace('home / ".claude.json"', 'Path(".mcp.json")'))
    desk.install("claude-code", "project", "command")
    assert calls(desk)[0][2:5] == ["--scope", "project", "ours"]
    assert calls(desk)[0][-1] == str(desk.folder / "project")


def test_for_the_project_its_own_file_is_better_than_a_command(desk: Desk) -> None:
    desk.fake("claude", RECORD)
    assert desk.install("claude-code", "project").choice.means == "project"


@pytest.mark.usefixtures("starts_programs")
def test_a_client_without_a_command_to_remove_has_its_file_edited(desk: Desk) -> None:
    desk.fake(
        "code",
        "file = home / '.config/Code/User/mcp.json'\n"
        "entry = json.loads(arguments[1])\n"
        "name, inputs = entry.pop('name'), entry.pop('inputs', [])\n"
        "file.write_text(json.dumps({'servers': {'x': {}, name: entry}, 'inputs': inputs}, indent='\\t'))\n",
    )
    file = desk.home / ".config/Code/User/mcp.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"servers": {"x": {}}}')
    desk.install("vscode")
    file.write_text(file.read_text().replace('"x"', '"y"'))
    desk.remove()
    assert set(json.loads(file.read_text())["servers"]) == {"y"}
