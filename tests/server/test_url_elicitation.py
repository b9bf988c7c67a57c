"""A handler that asks its user to open a page, which may take what no form may: a secret."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.generated import Generated, generate
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN, StdioClient, WireCheck
from tests.waiting import WITHIN

PAGE = "https://example.com/connect"
SPEC: dict[str, Any] = {
    "name": "opener",
    "version": "1",
    "clientCapabilities": {"elicitation": {"url": {}}},
    "tools": [
        {
            "name": "connect",
            "description": "Connect an account.",
            "inputSchema": {"type": "object", "properties": {"url": {"type": "string"}}},
            "examples": [
                {"name": "opened", "answers": {"elicitation": [{}]}, "result": "accept"},
                {"name": "refused", "answers": {"elicitation": ["decline"]}, "result": "decline"},
            ],
        }
    ],
}
CONNECT = f"""
async def connect(arguments, context):
    answer = await context.elicit_url("Log in", arguments.url or {PAGE!r})
    if answer == "accept":
        await context.elicited_url()
    return answer
"""


@pytest.fixture(scope="module")
def opener(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("opener") / "opener"
    return generate(SPEC, folder, handlers={"tools/connect.py": CONNECT})


@pytest.mark.parametrize("era", [[], ["--legacy"]], ids=["modern", "legacy"])
def test_the_client_script_opens_a_page_as_the_example_says(
    opener: Generated, era: list[str]
) -> None:
    ran = opener.script(*era)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "ok   connect, opened: accept" in ran.stdout
    assert "ok   connect, refused: decline" in ran.stdout


def test_a_client_is_notified_with_the_id_when_its_user_is_done(
    opener: Generated, check: WireCheck
) -> None:
    client = StdioClient(opener, LEGACY[-1], check)
    capabilities: dict[str, Any] = {"elicitation": {"url": {}}}
    about = {"protocolVersion": LEGACY[-1], "clientInfo": CLIENT_INFO}
    client.request("initialize", {**about, "capabilities": capabilities})
    client.notify("notifications/initialized")
    called = client.start_call("connect")
    question = client.unclaimed.get(timeout=WITHIN)
    client.send({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept"}})
    notice = client.unclaimed.get(timeout=WITHIN)
    assert called.result(WITHIN)["result"]["content"][0]["text"] == "accept"
    client.close()
    asked = dict(question["params"])
    id = asked.pop("elicitationId")
    asked.pop("_meta", None)
    assert asked == {"mode": "url", "message": "Log in", "url": PAGE}
    assert (notice["method"], notice["params"]["elicitationId"]) == (
        "notifications/elicitation/complete",
        id,
    )
    assert len(id) > 20
    assert client.faults == []


def test_the_newer_protocol_asks_without_an_id(opener: Generated, check: WireCheck) -> None:
    with StdioClient(opener, MODERN, check) as client:
        offered: dict[str, Any] = {
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"url": {}}}
        }
        params = {"name": "connect", "arguments": {}, "_meta": client.envelope() | offered}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        result = client.start_message(message).result(WITHIN)["result"]
    asked = {"mode": "url", "message": "Log in", "url": PAGE}
    assert result["inputRequests"] == {"url": {"method": "elicitation/create", "params": asked}}
    assert client.faults == []


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_a_client_that_cannot_open_pages_gets_an_error(
    opener: Generated, check: WireCheck, version: str
) -> None:
    with StdioClient(opener, version, check) as client:
        answer = client.call("connect")
    assert "This needs a client with the capability elicitation.url" in json.dumps(answer)
    if version == MODERN:
        needed: dict[str, Any] = {"requiredCapabilities": {"elicitation": {"url": {}}}}
        assert answer["error"]["data"] == needed
    assert client.faults == []


def test_a_page_without_tls_is_a_logged_error(opener: Generated, check: WireCheck) -> None:
    with StdioClient(opener, MODERN, check) as client:
        answer = client.call("connect", url="http://example.com")
    assert answer["result"]["isError"]
    assert "a page that takes secrets needs a URL with https" in client.log
