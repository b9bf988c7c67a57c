"""One file for several clients, projects or runs: nobody's entry is lost, and the reasons are right."""

from __future__ import annotations

import dataclasses
import json
import shlex
import shutil
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from scaffold.cli.main import main
from scaffold.clients.client import read_client, read_clients
from scaffold.clients.installing import install, remove
from scaffold.clients.installing.choose import Asked
from scaffold.clients.installing.listing import listed
from scaffold.clients.installing.receipts import Store
from scaffold.diagnostics import Diagnostic, ScaffoldError
from tests.disk.processes import ended, started
from tests.installing.machines import PLAIN, TOKEN, Desk

CURSOR = ".cursor/mcp.json"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk.at(tmp_path)


def write(desk: Desk, text: str) -> Path:
    path = desk.home / CURSOR
    path.parent.mkdir()
    path.write_text(text)
    return path


def refused(desk: Desk, client: str, *asked: str | None) -> Diagnostic:
    before = desk.files()
    with pytest.raises(ScaffoldError) as error:
        desk.install(client, *asked)
    assert desk.files() == before
    (diagnostic,) = error.value.diagnostics
    return diagnostic


def state(desk: Desk, client: str) -> list[tuple[str, bool]]:
    found = listed(desk.subject, read_client(client), desk.machine, desk.store).held
    return [(one.state, one.receipt is not None) for one in found]


def changed(desk: Desk) -> Desk:
    """The desk after an edit of the spec: the server reads one more variable."""
    return dataclasses.replace(desk, env=(PLAIN, TOKEN))


def test_another_transport_for_a_client_that_shares_the_file(desk: Desk) -> None:
    desk.install("claude-code", "project")
    found = refused(desk, "copilot-cli", "project", None, "streamable-http")
    assert found.id == "entry-exists"
    assert found.message == "Claude Code has the entry `ours` in the same file, over stdio"
    command = f"mcp-scaffold clients remove --client claude-code {desk.folder / 'project'}"
    assert found.hint == f"remove it there first: `{command}`"
    assert desk.install("copilot-cli", "project", None, "stdio").done
    desk.remove()
    desk.install("copilot-cli", "project", None, "streamable-http")


def test_the_entry_of_another_project_is_named_with_its_project(desk: Desk) -> None:
    client, asked = read_client("cursor"), Asked("user")
    copy = Desk.at(desk.folder / "a copy")
    project = copy.folder / "project"
    is_theirs = f"the entry `ours` of Cursor is for the project `{project}`"
    desk.install("cursor", "user")
    (mine,) = desk.store.all()
    (desk.home / CURSOR).write_text("{}")
    install.install(copy.subject, client, asked, desk.machine, desk.store)

    found = refused(desk, "cursor", "user", None, "streamable-http")
    assert (found.id, found.message) == ("entry-exists", is_theirs)
    assert shlex.quote(str(project)) in (found.hint or "")
    before = desk.files()
    with pytest.raises(ScaffoldError, match="is for the project"):
        remove.remove(mine, desk.machine, desk.store)
    assert desk.files() == before

    (theirs,) = desk.store.of("cursor", project)
    remove.remove(theirs, desk.machine, desk.store)
    assert remove.remove(mine, desk.machine, desk.store).gone


def test_an_entry_is_outdated_if_only_the_spec_has_changed(desk: Desk) -> None:
    desk.install("claude-code", "project")
    later = dataclasses.replace(desk, env=(PLAIN, TOKEN))
    assert state(later, "claude-code") == [("outdated", True)]
    assert state(later, "copilot-cli") == [("outdated", False)]
    later.install("claude-code", "project")
    assert state(later, "claude-code") == [("same", True)]
    path = desk.folder / "project/.mcp.json"
    path.write_text(path.read_text().replace("/opt/uv", "/my/uv"))
    assert state(later, "claude-code") == [("other", True)]


def test_the_list_says_that_an_entry_is_outdated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    spec = tmp_path / "mcp.yaml"
    text = "name: blog\nversion: 1.0.0\nresources: [{uri: 'a://b', name: b, text: c}]\n"
    spec.write_text(text)
    arguments = ["--client", "cursor", "--scope", "user", str(tmp_path)]
    assert CliRunner().invoke(main, ["clients", "install", *arguments]).exit_code == 0
    spec.write_text(text + "env: [{name: SIZE, description: Of a page., default: '1'}]\n")
    said = CliRunner().invoke(main, ["clients", "list", str(tmp_path)]).stdout
    assert ", outdated (" in said
    assert "changed since" not in said


RUNS = 3


def work(desk: Desk, run: int, store: Store, times: int) -> int:
    """Install and remove a server of this run's own, again and again."""
    name = f"server-{run}"
    subject = replace(desk.subject, server=replace(desk.subject.server, name=name))
    for _ in range(times):
        asked = Asked("user", "file")
        install.install(subject, read_client("cursor"), asked, desk.machine, store)
        (receipt,) = (one for one in store.all() if one.server == name)
        remove.remove(receipt, desk.machine, store)
    return 0


def at_once(desk: Desk, stores: list[Store], times: int) -> None:
    works = (partial(work, desk, run, store, times) for run, store in enumerate(stores))
    children = [started(one) for one in works]
    assert [ended(child) for child in children] == [0] * RUNS


def test_runs_that_create_the_folder_of_receipts_at_once(desk: Desk) -> None:
    for round in range(5):
        at_once(desk, [Store(desk.folder / f"new/{round}/state")] * RUNS, 1)


APPROVED = {"codex", "claude-code", "copilot-cli", "gemini-cli", "amp", "warp", "vscode"}


@pytest.mark.parametrize("client", ["claude-code", "codex", "cursor"])
def test_it_is_said_what_has_to_be_approved(
    client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(
        shutil, "which", lambda name, path=None: f"/opt/{name}" if name == "uv" else None
    )
    spec = "name: blog\nversion: 1.0.0\nresources: [{uri: 'a://b', name: b, text: c}]\n"
    (tmp_path / "mcp.yaml").write_text(spec)
    arguments = ["clients", "install", str(tmp_path), "--client", client, "--scope", "project"]
    said = CliRunner().invoke(main, arguments).stdout.splitlines()[1:]
    row = json.loads(CliRunner().invoke(main, [*arguments, "--format", "json"]).stdout)
    approval = read_client(client).approval.get("project")
    assert said == ([f"  {approval}"] if approval else [])
    assert row["clients"][0]["approval"] == approval


def test_the_clients_that_have_to_be_asked_are_known() -> None:
    found = {client.id for client in read_clients() if "project" in client.approval}
    assert found == APPROVED
