"""What cannot be done safely is refused with the place and a remedy, and nothing is touched."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.cli.installations import lines_of
from scaffold.clients.client import read_clients
from scaffold.clients.places import running
from scaffold.install import install
from scaffold.install.choose import Asked, choose
from tests.install.machines import PLAIN, TOKEN, Desk

CURSOR = ".cursor/mcp.json"
SECRET = {"BLOG_TOKEN": "s3cr3t-token"}


def refused(desk: Desk, client: str, *asked: str | None) -> Diagnostic:
    before = desk.files()
    with pytest.raises(ScaffoldError) as error:
        desk.install(client, *asked)
    assert desk.files() == before
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.hint or diagnostic.id == "cannot-write"
    return diagnostic


def write(desk: Desk, name: str, data: bytes) -> Path:
    path = desk.home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


CASES = yaml.safe_load(Path(__file__).with_name("refused.yaml").read_text("utf-8"))
CASES.append({"client": "cursor", "text": "[" * 200_000, "said": "nested too deeply"})
FILES = {
    "cursor": CURSOR,
    "vscode": ".config/Code/User/mcp.json",
    "codex": ".codex/config.toml",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['client']}: {case['said']}")
def test_a_configuration_that_cannot_be_edited_is_refused(
    desk: Desk, case: Mapping[str, Any]
) -> None:
    path = write(desk, FILES[case["client"]], case["text"].encode())
    diagnostic = refused(desk, case["client"], "user", "file")
    assert diagnostic.id == "client-file-invalid"
    assert case["said"] in diagnostic.message
    where = tuple(case.get("at", (None, None)))
    assert diagnostic.place
    assert (diagnostic.place.path, diagnostic.place.line, diagnostic.place.column) == (
        str(path),
        *where,
    )


@pytest.mark.parametrize("client", ["cursor", "codex", "opencode", "zed"])
@pytest.mark.parametrize("transport", ["stdio", "streamable-http"])
def test_the_entry_of_this_server_is_replaced_in_place(
    desk: Desk, client: str, transport: str
) -> None:
    path = desk.install(client, "user", "file", transport).choice.path
    assert path
    text = path.read_text().replace("/opt/uv", "/old/uv").replace(":8000/", ":8001/")
    path.write_text(text)
    again = desk.install(client, "user", "file", transport)
    assert again.configuration
    assert again.configuration.entries().keys() == {"ours"}
    assert "/old/uv" not in path.read_text()
    assert ":8001/" not in path.read_text()
    assert path.with_name(f"{path.name}.before-mcp-scaffold").read_text() == text
    assert desk.install(client, "user", "file", transport).done
    assert desk.remove(client) == 1


@pytest.mark.parametrize("client", ["jetbrains-ai", "zed", "devin"])
def test_secrets_are_not_written_into_a_project(tmp_path: Path, client: str) -> None:
    diagnostic = refused(Desk.at(tmp_path, TOKEN, environ=SECRET), client, "project")
    assert diagnostic.id == "secret-in-project"
    assert "s3cr3t" not in str(diagnostic)


@pytest.mark.parametrize("transport", ["stdio", "streamable-http"])
@pytest.mark.parametrize("required", [True, False], ids=["required", "optional"])
def test_secrets_are_not_passed_to_the_command_of_a_client(
    tmp_path: Path, transport: str, required: bool
) -> None:
    desk = Desk.at(tmp_path, PLAIN, replace(TOKEN, required=required), environ=SECRET)
    bearer = None if transport == "stdio" else TOKEN.name
    subject = replace(desk.subject, server=replace(desk.subject.server, bearer_env=bearer))
    for client in (known for known in read_clients() if known.command):
        (tmp_path / "bin" / client.program).touch(0o755)
        command = choose(subject, client, Asked(transport=transport), desk.machine).command
        assert command
        assert "s3cr" not in " ".join(command)
        assert TOKEN.name in " ".join(command)


def test_a_personal_value_is_only_written_to_the_user_file(tmp_path: Path) -> None:
    assert refused(Desk.at(tmp_path, TOKEN), "zed", "user").message == (
        "Zed needs the value of `BLOG_TOKEN` in its configuration"
    )
    desk = Desk.at(tmp_path, TOKEN, environ=SECRET)
    installation = desk.install("zed")
    assert installation.choice.scope == "user"
    note = "  it has the value of `BLOG_TOKEN` from the environment of this command"
    assert note in [*lines_of(installation, False)]
    file = desk.home / ".config/zed/settings.json"
    entry = json.loads(file.read_text())["context_servers"]["ours"]
    assert entry["env"] == {"BLOG_TOKEN": "s3cr3t-token"}
    assert file.stat().st_mode & 0o077 == 0


def test_secrets_of_others_in_the_lines_that_change_are_not_shown(desk: Desk) -> None:
    write(desk, CURSOR, b'{"mcpServers": {"x": {"env": {"A": "s3cr3t"}}}}')
    desk.install("cursor", "user")
    again = desk.plan("cursor", "user", None, "streamable-http")
    assert '"url"' in again.change
    assert "s3cr3t" not in again.change


@pytest.mark.parametrize("client", ["auggie", "claude-desktop", "zed", "cline"])
@pytest.mark.parametrize("secret", ["s3cr\"t: #\\'TOK", "s3cré\nTOK", "s3cr " + "TOK " * 40])
def test_a_secret_is_not_shown_however_it_is_written(
    tmp_path: Path, client: str, secret: str
) -> None:
    optional = replace(TOKEN, required=False)
    old = Desk.at(tmp_path, optional, environ={"BLOG_TOKEN": f"old {secret}"})
    old.install(client, "user", "file")
    desk = Desk.at(tmp_path, optional, environ={"BLOG_TOKEN": secret})
    shown = desk.plan(client, "user", "file").change
    assert "BLOG_TOKEN" in shown
    assert "s3cr" not in shown
    assert "TOK" not in shown.replace("BLOG_TOKEN", "")


def test_a_running_application_that_would_lose_its_entries_is_refused(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "running", lambda names: next(iter(names), None))
    write(desk, ".config/Claude/claude_desktop_config.json", b"{}")
    diagnostic = refused(desk, "claude-desktop", "user", "file")
    assert (diagnostic.id, diagnostic.hint) == ("client-running", "quit Claude Desktop first")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems are asked by a program")
def test_a_running_program_is_detected() -> None:
    ourselves = Path("/proc/self/comm").read_text().strip()
    assert running(["no-such-program", ourselves]) == ourselves
    assert running(["no-such-program"]) is None


@pytest.mark.parametrize("before", [None, b'{\n  "mcpServers": {\n    "x": {}\n  }\n}\n'])
@pytest.mark.parametrize("indent", [None, 2], ids=["another layout", "our layout"])
@pytest.mark.parametrize("works", ["install", "remove", "install remove", "remove install remove"])
def test_edits_of_our_entry_are_saved_in_a_copy(
    desk: Desk, before: bytes | None, indent: int | None, works: str
) -> None:
    path = write(desk, CURSOR, before) if before else desk.home / CURSOR
    desk.install("cursor", "user")
    whole = json.loads(path.read_text())
    whole["mcpServers"]["ours"]["env"] = {"MY": "precious"}
    path.write_text(json.dumps(whole, indent=indent) + "\n")
    edited = path.read_bytes()
    for work in works.split():
        desk.install("cursor", "user") if work == "install" else desk.remove("cursor")
    assert not path.exists() or "precious" not in path.read_text()
    assert edited in [copy.read_bytes() for copy in path.parent.glob("*.before-mcp-scaffold*")]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such owners")
def test_files_keep_their_owner(desk: Desk) -> None:
    path = write(desk, CURSOR, b'{"mcpServers": {"x": {}}}')
    theirs = (1234, 1235) if os.geteuid() == 0 else (os.getuid(), os.getgid())
    for file in (desk.home, path):
        os.chown(file, *theirs)
    path.chmod(0o640)
    desk.install("cursor", "user")
    for file in (path, path.with_name("mcp.json.before-mcp-scaffold")):
        assert (file.stat().st_uid, file.stat().st_gid) == theirs
    desk.remove("cursor")
    assert (path.stat().st_uid, path.stat().st_gid) == theirs
    assert path.stat().st_mode & 0o777 == 0o640
