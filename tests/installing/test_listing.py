"""The list says what each client has for the server, and what it had and lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scaffold.clients.client import client_ids, read_client
from scaffold.clients.installing.listing import Held, listed
from tests.installing.machines import PLAIN, TOKEN, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk.at(tmp_path, PLAIN, TOKEN, environ={"BLOG_TOKEN": "s3cr3t-token"})


def held(desk: Desk, id: str) -> tuple[Held, ...]:
    return listed(desk.subject, read_client(id), desk.machine, desk.store).held


def states(desk: Desk, id: str) -> list[tuple[str, str, bool]]:
    return [(one.scope, one.state, one.receipt is not None) for one in held(desk, id)]


@pytest.mark.parametrize("id", client_ids())
def test_nothing_is_nothing(desk: Desk, id: str) -> None:
    assert states(desk, id) == []


ON_LINUX = [
    id
    for id in client_ids()
    if "file" in read_client(id).means and read_client(id).files.get("linux")
]


@pytest.mark.parametrize("id", ON_LINUX)
def test_what_was_installed_is_the_same_whatever_the_values_are_now(desk: Desk, id: str) -> None:
    desk.install(id, "user", "file")
    assert states(desk, id) == [("user", "same", True)]
    later = Desk.at(desk.folder, PLAIN, TOKEN)
    assert states(later, id) == [("user", "same", True)]
    desk.remove()
    assert states(desk, id) == []


def test_a_pasted_entry_is_the_same_and_a_changed_one_is_not(desk: Desk) -> None:
    desk.install("cursor", "user")
    (desk.store.folder / desk.store.all()[0].name).unlink()
    assert states(desk, "cursor") == [("user", "same", False)]
    path = desk.home / ".cursor/mcp.json"
    path.write_text(path.read_text().replace("/opt/uv", "/usr/bin/uv"))
    assert states(desk, "cursor") == [("user", "outdated", False)]
    path.write_text(path.read_text().replace("/project", "/elsewhere"))
    assert states(desk, "cursor") == [("user", "other", False)]


def test_an_entry_that_the_client_lost_is_said_to_be_lost(desk: Desk) -> None:
    desk.install("cursor", "user")
    path = desk.home / ".cursor/mcp.json"
    path.write_text(json.dumps({"mcpServers": {}}))
    assert states(desk, "cursor") == [("user", "lost", True)]
    path.unlink()
    assert states(desk, "cursor") == []  # as before the installation


def test_a_file_that_does_not_parse_is_a_problem_of_that_client_only(desk: Desk) -> None:
    path = desk.home / ".cursor/mcp.json"
    path.parent.mkdir()
    path.write_text("{")
    (one,) = held(desk, "cursor")
    assert one.state == "unreadable"
    assert one.problem
    assert one.problem.id == "client-file-invalid"


def test_both_scopes_are_listed(desk: Desk) -> None:
    desk.install("cursor", "user")
    desk.install("cursor", "project")
    assert states(desk, "cursor") == [("project", "same", True), ("user", "same", True)]
