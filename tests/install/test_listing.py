"""The list says what each client has for the server."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from scaffold.clients.client import client_ids, read_client
from tests.install.machines import PLAIN, TOKEN, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk.at(tmp_path, PLAIN, TOKEN, environ={"BLOG_TOKEN": "s3cr3t-token"})


def states(desk: Desk, id: str) -> list[tuple[str, str]]:
    return [(entry.scope, entry.state) for entry in desk.held(id)]


@pytest.mark.parametrize("id", client_ids())
def test_an_installed_entry_is_recognized_whatever_its_values_are_now(desk: Desk, id: str) -> None:
    assert states(desk, id) == []
    client = read_client(id)
    if "file" in client.means and client.files.get("linux"):
        desk.install(id, "user", "file")
        assert states(Desk.at(desk.folder, PLAIN, TOKEN), id) == [("user", "same")]
        assert desk.remove(id) == 1
        assert states(desk, id) == []


def test_an_old_entry_is_distinguished_from_that_of_another_project(desk: Desk) -> None:
    desk.install("cursor", "user")
    later = dataclasses.replace(desk, env=(PLAIN,))  # the spec has changed
    assert states(later, "cursor") == [("user", "outdated")]
    path = desk.home / ".cursor/mcp.json"
    path.write_text(path.read_text().replace("/opt/uv", "/usr/bin/uv"))
    assert states(desk, "cursor") == [("user", "outdated")]
    path.write_text(path.read_text().replace("/project", "/elsewhere"))
    assert states(desk, "cursor") == [("user", "other")]


def test_clients_that_share_a_file_share_the_entry(desk: Desk) -> None:
    desk.install("cursor", "user")
    desk.install("cursor", "project")
    assert states(desk, "cursor") == [("project", "same"), ("user", "same")]
    desk.install("copilot-cli", "project")
    assert states(desk, "claude-code") == [("project", "same")]
    assert desk.install("claude-code", "project").done
