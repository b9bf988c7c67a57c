"""What comes over HTTP and is no request that could be served: refused, and survived."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.generated import WebServer
from tests.raw_client import LEGACY, MODERN, WireCheck
from tests.raw_web_client import HttpClient, SseClient, post
from tests.server.conftest import Connect

PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
MODERN_HEADERS = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "ping"}
BODIES = {
    "nothing": b"",
    "no JSON": b"hello?",
    "half a message": PING[:20],
    "not UTF-8": b'{"jsonrpc": "2.0", "id": 7, "method": "\xff"}',
    "a number": b"7",
    "a batch": b"[" + PING + b"]",
    "an empty object": b"{}",
    "no method": b'{"jsonrpc": "2.0", "id": 7}',
    "params of a wrong type": b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [1]}',
}


@pytest.fixture(params=[LEGACY[-1], MODERN])
def http(connect: Connect, request: pytest.FixtureRequest) -> HttpClient:
    client = connect("streamable-http", request.param)
    assert isinstance(client, HttpClient)
    return client


@pytest.mark.parametrize("body", BODIES)
def test_a_body_that_is_no_message_is_a_bad_request(http: HttpClient, body: str) -> None:
    headers = http.headers | (MODERN_HEADERS if http.version == MODERN else {})
    answer = http.post(BODIES[body], headers)
    assert answer.status == 400
    [refusal] = answer.messages
    assert refusal["error"]["code"] in (-32700, -32600, -32602)
    assert b"Traceback" not in answer.body
    assert http.call("greet", name="Ada")["result"]["content"][0]["text"] == "Hello, Ada!"


@pytest.mark.parametrize("body", BODIES)
def test_a_body_that_is_no_message_leaves_an_sse_connection_alone(
    connect: Connect, body: str
) -> None:
    client = connect("sse", LEGACY[-1])
    assert isinstance(client, SseClient)
    answer = post(client.server.port, client.endpoint, BODIES[body], {})
    assert answer.status == 400
    assert client.call("greet", name="Ada")["result"]["content"][0]["text"] == "Hello, Ada!"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "text/plain"}, 400),
        ({"Accept": "text/html"}, 406),
        ({"Mcp-Session-Id": "no-such-session"}, 404),
        ({"MCP-Protocol-Version": "1999-12-31"}, 400),
    ],
    ids=lambda value: str(value),
)
def test_headers_that_do_not_fit_are_refused(
    web: Callable[[str], WebServer], headers: dict[str, str], status: int
) -> None:
    assert post(web("streamable-http").port, "/mcp", PING, headers).status == status


@pytest.mark.parametrize(
    "text", [b'"\\ud800"', b'"\\uDFFF"', b'"\xed\xa0\x80"', b'{"\\udc00": 1}'], ids=str
)
def test_text_that_is_no_unicode_is_a_bad_request(http: HttpClient, text: bytes) -> None:
    params = {"name": "greet", "arguments": {"name": "X"}}
    if http.version == MODERN:
        params["_meta"] = http.envelope()
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    body = json.dumps(message).encode().replace(b'"X"', text)
    answer = http.post(body, http.headers_of(message))
    assert answer.status == 400
    assert answer.messages[0]["error"]["code"] == -32700
    assert (
        http.call("greet", name="\U0001f600")["result"]["content"][0]["text"]
        == "Hello, \U0001f600!"
    )


def test_a_body_that_is_too_long_is_refused(web: Callable[[str], WebServer]) -> None:
    answer = post(web("streamable-http").port, "/mcp", b" " * (5 << 20), {})
    assert answer.status == 413


@pytest.mark.parametrize(
    ("header", "value"),
    [("Mcp-Method", "tools/list"), ("Mcp-Name", "greet"), ("MCP-Protocol-Version", LEGACY[-1])],
)
def test_headers_must_say_what_the_message_says(connect: Connect, header: str, value: str) -> None:
    """MCP 2026-07-28, basic/transports/streamable-http."""
    client = connect("streamable-http", MODERN)
    assert isinstance(client, HttpClient)
    params = {"name": "nothing", "_meta": client.envelope()}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    right = client.headers_of(message)
    assert client.post(json.dumps(message).encode(), right).status == 200
    assert client.post(json.dumps(message).encode(), right | {header: value}).status == 400


def test_a_session_that_was_ended_is_gone(
    web: Callable[[str], WebServer], check: WireCheck
) -> None:
    server = web("streamable-http")
    with HttpClient(server, LEGACY[-1], check) as client:
        assert client.request("ping")["result"] == {}
        assert client.headers["Mcp-Session-Id"]
        assert server.request("DELETE", "/mcp", client.headers)[0] == 200
        assert client.post(PING, client.headers).status == 404


@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_nothing_else_is_served(web: Callable[[str], WebServer], transport: str) -> None:
    server = web(transport)
    for path in ("/", "/docs", "/mcp/../etc/passwd", "/health/more"):
        assert server.request("GET", path)[0] == 404


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT"])
def test_a_stream_is_opened_by_get_alone(web: Callable[[str], WebServer], method: str) -> None:
    """A client that tries streamable HTTP first goes on with SSE when its post is refused.

    (MCP 2025-11-25, basic/transports#backwards-compatibility)
    """
    assert web("sse").request(method, "/sse")[0] == 405
