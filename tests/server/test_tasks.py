"""Tasks of a running server: whose they are, and what is not kept for one client alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.generated import PACK, WebServer, generate, listening
from tests.raw_client import MODERN
from tests.raw_web_client import Answer, post
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(PACK != "python", reason="the pack has no tasks")

SPEC: dict[str, Any] = {
    "name": "desk",
    "version": "1",
    "transports": ["streamable-http"],
    "auth": {"oauth": {"issuer": "https://login.example.com", "resource": {"env": "PUBLIC_URL"}}},
    "env": [{"name": "PUBLIC_URL", "required": False}],
    "clientCapabilities": {"elicitation": {}},
    "tools": [
        {
            "name": name,
            "description": "Work.",
            "inputSchema": {"type": "object"},
            "scopes": ["desk"],
            "task": {"poll": 0.1},
        }
        for name in ("book", "fill")
    ],
}
FILES = {
    "own.py": """
from mcp.server.auth.provider import AccessToken


class Own:
    async def verify_token(self, token: str) -> AccessToken | None:
        client, _, scope = token.partition(" ")
        return AccessToken(token=token, client_id=client, scopes=scope.split())
""",
    "tools/book.py": """
from dataclasses import dataclass, field


@dataclass
class Booking:
    seats: int = field(metadata={"maximum": 9})


async def book(arguments, context):
    return repr(await context.elicit("How many?", Booking))
""",
    "tools/fill.py": """
def fill(arguments, context):
    return "x" * (4 * 2**20 - 1000)
""",
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    folder = tmp_path_factory.mktemp("desk")
    env = {"PUBLIC_URL": "https://mcp.example.org/mcp", "DESK_TASKS": str(folder / "tasks.sqlite3")}
    project = generate(SPEC, folder / "desk", handlers=FILES, env=env)
    program = project.source / "__main__.py"
    text = program.read_text("utf-8").replace("verifier=OAUTH.verifier,", "verifier=Own,")
    text = text.replace("import argparse", "import argparse\nfrom desk.own import Own")
    program.write_text(text)
    with listening(project, "streamable-http", folder / "log.txt") as server:
        yield server


def send(server: WebServer, token: str, method: str, about: str = "", **params: Any) -> Answer:
    """Send a request of a client that supports tasks; `about` is for the header."""
    extensions: dict[str, Any] = {"io.modelcontextprotocol/tasks": {}}
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "a", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "extensions": extensions},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method, "Mcp-Name": about}
    headers["Authorization"] = f"Bearer {token}"
    return post(server.port, "/mcp", json.dumps(message).encode(), headers)


def task_of(server: WebServer, token: str, tool: str) -> Callable[..., Answer]:
    """Call a tool, and return what sends requests about its task."""
    called = send(server, token, "tools/call", tool, name=tool, arguments={})
    task = called.messages[0]["result"]["taskId"]
    return lambda method, token, **more: send(server, token, method, task, taskId=task, **more)


def state(about: Callable[..., Answer], token: str, *statuses: str) -> Any:
    """Return the state of a task as soon as it has one of these statuses."""

    def current() -> Any:
        return about("tasks/get", token).messages[0]["result"]

    wait_until(lambda: current()["status"] in statuses, current)
    return current()


def test_a_token_without_the_scope_of_the_tool_can_do_nothing_with_its_task(
    desk: WebServer,
) -> None:
    about = task_of(desk, "ann desk", "book")
    [name] = state(about, "ann desk", "input_required")["inputRequests"]
    answers = {name: {"action": "decline"}}
    for method in ("tasks/get", "tasks/update", "tasks/cancel"):
        refused = about(method, "ann other", inputResponses=answers)
        assert refused.status == 403
        assert 'scope="desk"' in refused.headers["WWW-Authenticate"]
    assert about("tasks/get", "ann desk").messages[0]["result"]["status"] == "input_required"
    about("tasks/update", "ann desk", inputResponses=answers)
    text = state(about, "ann desk", "completed")["result"]["content"][0]["text"]
    assert text == "'decline'"


@pytest.mark.parametrize("seats", [10, "two", None])
def test_a_form_with_wrong_values_is_refused_and_its_question_stays_open(
    desk: WebServer, seats: Any
) -> None:
    token = "ann desk"
    about = task_of(desk, token, "book")
    state(about, token, "input_required")

    def answer(seats: Any) -> Any:
        filled = {"action": "accept", "content": {"seats": seats}}
        return about("tasks/update", token, inputResponses={"Booking": filled}).messages[0]

    error = answer(seats)["error"]
    assert (error["code"], error["message"]) == (-32602, "The answer does not fit: Booking")
    assert [*about("tasks/get", token).messages[0]["result"]["inputRequests"]] == ["Booking"]
    assert "result" in answer(2)
    text = state(about, token, "completed")["result"]["content"][0]["text"]
    assert text == "Booking(seats=2)"


def test_the_results_of_one_client_leave_room_for_those_of_others(desk: WebServer) -> None:
    """Beyond its share, a result fails its task with a short text."""
    abouts = [task_of(desk, "ben desk", "fill") for _ in range(33)]
    ends = [state(about, "ben desk", "completed", "failed") for about in abouts]
    assert [end["status"] for end in ends].count("failed") == 1
    [failed] = {end["statusMessage"] for end in ends if end["status"] == "failed"}
    assert failed == "The tasks of this client take too much room"
    assert state(task_of(desk, "ann desk", "fill"), "ann desk", "completed", "failed")["result"]
    assert "WARNING" not in desk.log.read_text()
