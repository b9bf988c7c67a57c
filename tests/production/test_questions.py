"""Questions that one replica asks and another goes on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from templates.python.runtime.command import SettingsError
from templates.python.runtime.state_keys import security_from
from tests.generated import Generated, WebServer, of_the_sdk
from tests.production.conftest import KEYS, replicas
from tests.raw_client import LEGACY, MODERN, Message, WireCheck
from tests.raw_web_client import HttpClient, post

pytestmark = of_the_sdk

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "a", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
}
HEADERS = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "ask"}


def asked(server: WebServer, **more: Any) -> Message:
    params = {"name": "ask", "arguments": {}, "_meta": ENVELOPE, **more}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return post(server.port, "/mcp", json.dumps(message).encode(), HEADERS).messages[0]


def answering(result: Message, **values: str) -> dict[str, Any]:
    """What the next request says: the state as it came, and the answer to the one question."""
    [question] = result["inputRequests"]
    answer = {"action": "accept", "content": values}
    return {"requestState": result["requestState"], "inputResponses": {question: answer}}


def test_with_the_same_keys_each_round_of_a_question_may_go_to_another_replica(
    board: Generated, tmp_path: Path
) -> None:
    with replicas(board, tmp_path, STATE_KEYS=KEYS) as (one, other):
        for first, second in [(one, other), (other, one)] * 5:
            opening = asked(first)["result"]
            later = asked(second, **answering(opening, name="Ada"))["result"]
            end = asked(first, **answering(later, town="London"))["result"]
            assert end["content"][0]["text"] == "Ada of London"


def test_without_keys_another_replica_refuses_the_state(board: Generated, tmp_path: Path) -> None:
    with replicas(board, tmp_path) as (one, other):
        answer = answering(asked(one)["result"], name="Ada")
        assert asked(other, **answer)["error"]["code"] == -32602
        assert asked(one, **answer)["result"]["inputRequests"]


def test_any_replica_serves_a_client_without_a_session(
    board: Generated, check: WireCheck, tmp_path: Path
) -> None:
    with (
        replicas(board, tmp_path, "--stateless") as (one, other),
        HttpClient(one, LEGACY[-1], check) as client,
    ):
        assert "Mcp-Session-Id" not in client.headers
        client.server = other
        assert client.call("wait")["result"]["content"][0]["text"] == "waited"
        assert client.call("ask")["result"]["isError"]
        assert client.faults == []


def test_keys_are_rotated_without_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = "o" * 32, "n" * 32

    def sealing(keys: str) -> Any:
        monkeypatch.setenv("STATE_KEYS", keys)
        return security_from("STATE_KEYS").codec

    before, during, after = sealing(old), sealing(f"{old}, {new}\n"), sealing(f"{new},{old}")
    for sealer, opener in [(before, during), (during, before), (during, after), (after, during)]:
        assert opener.unseal(sealer.seal(b"state")) == b"state"


@pytest.mark.parametrize("keys", ["short", f"{'k' * 32},short", f"{'k' * 32},{'k' * 32}"])
def test_a_wrong_key_is_told_by_the_name_of_its_variable(
    keys: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_KEYS", keys)
    with pytest.raises(SettingsError, match=r"^STATE_KEYS: .*keys\b") as raised:
        security_from("STATE_KEYS")
    assert "kkkk" not in str(raised.value)


def test_a_server_does_not_start_with_a_wrong_key_or_address(board: Generated) -> None:
    for ran, variable in (
        (board.run("--port", "0", STATE_KEYS="secret"), "STATE_KEYS"),
        (board.run("--port", "0", REDIS_URL="secret"), "REDIS_URL"),
    ):
        assert (ran.returncode, ran.stdout) == (1, b"")
        [line] = ran.stderr.decode().splitlines()
        assert line.startswith(f"board: {variable}: ")
        assert "secret " not in line.replace("secret randomness", "")
