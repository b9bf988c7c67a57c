"""Nothing that a client sends writes a line of its own into the log, or speaks to a terminal."""

from __future__ import annotations

import http.client
import json
import re
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.generated import Generated, WebServer, listening
from tests.raw_client import LEGACY, MODERN, StdioClient, WireCheck
from tests.raw_web_client import HttpClient

TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} "
RECORD = re.compile(TIME + r"(DEBUG|INFO|WARNING|ERROR|CRITICAL) [A-Za-z0-9_.]+: ")
HOSTILE = "say\nERROR root: forged\r\x1b[2J\x85\u2028\u202e\x9b31m\x00"
QUOTED = json.dumps(HOSTILE)[1:-1]

REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("tools/call", {"name": "crash", "arguments": {"how": HOSTILE}}),
    ("tools/call", {"name": "crash_plainly", "arguments": {"how": HOSTILE}}),
    ("tools/call", {"name": HOSTILE, "arguments": {}}),
    ("tools/call", {"name": "greet", "arguments": {HOSTILE: HOSTILE}}),
    ("resources/read", {"uri": f"crash://{HOSTILE}"}),
    ("resources/read", {"uri": f"reserved:///../{HOSTILE}"}),
    ("resources/subscribe", {"uri": HOSTILE}),
    ("prompts/get", {"name": "crash", "arguments": {"how": HOSTILE}}),
    ("prompts/get", {"name": HOSTILE}),
    (
        "completion/complete",
        {
            "ref": {"type": "ref/prompt", "name": "crash"},
            "argument": {"name": "how", "value": HOSTILE},
        },
    ),
    ("tools/list", {"cursor": HOSTILE}),
    ("logging/setLevel", {"level": HOSTILE}),
    (HOSTILE, {}),
]


def assert_clean(log: str) -> None:
    """Every line is a record, or belongs to the one above it."""
    lines = log.removesuffix("\n").split("\n")
    for line in lines:
        assert line.isprintable(), repr(line)
        assert RECORD.match(line) or line.startswith("  ") or line == "opening", repr(line)
    assert not any(line.startswith("ERROR root") for line in lines)
    assert sum("forged" in line for line in lines) >= 4
    assert sum(line.startswith("  ValueError: say") for line in lines) >= 4


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_the_log_of_a_server_on_standard_streams(
    crashing: Generated, check: WireCheck, version: str
) -> None:
    with StdioClient(crashing, version, check, "--log-level", "debug") as client:
        for method, params in REQUESTS:
            client.start(method, params, valid=False).result(timeout=10)
        client.notify("notifications/cancelled", {"requestId": HOSTILE, "reason": HOSTILE})
        client.send_line(QUOTED.encode())
        client.call("greet")
    assert_clean(client.log)


def raw(server: WebServer, head: bytes) -> None:
    """Send the head of a request as no library would."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
        line.sendall(head)
        line.settimeout(0.5)
        with suppress(OSError):
            line.recv(65536)


@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_the_log_of_a_server_that_listens(
    crashing: Generated, check: WireCheck, tmp_path: Path, transport: str
) -> None:
    log = tmp_path / "log.txt"
    path = b"/sse" if transport == "sse" else b"/mcp"
    headers = [b"Host", b"Origin", b"X-Forwarded-For", b"Mcp-Session-Id", b"MCP-Protocol-Version"]
    with listening(crashing, transport, log, "--log-level", "debug") as server:
        for header in headers:
            for value in (
                b"a\x1b[2Jforged",
                b"a\x85forged",
                b"a\nERROR root: forged",
                b"\xc2\x9bm",
            ):
                host = b"" if header == b"Host" else b"Host: 127.0.0.1\r\n"
                raw(server, b"POST " + path + b" HTTP/1.1\r\n" + host + header + b": " + value)
                raw(
                    server,
                    b"POST %s HTTP/1.1\r\n%s%s: %s\r\nContent-Length: 0\r\n\r\n"
                    % (path, host, header, value),
                )
        raw(server, b"GET /a%0aERROR%20root:%20forged%1b[2J HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        if transport == "streamable-http":
            for version in (LEGACY[-1], MODERN):
                with HttpClient(server, version, check) as client:
                    for method, params in REQUESTS:
                        try:
                            client.start(method, params, valid=False).result(timeout=10)
                        except (
                            ConnectionError,
                            UnicodeError,
                            ValueError,
                            http.client.HTTPException,
                        ):
                            continue  # Its name fits into no header.
                    client.call("greet")
        assert server.is_up()
    text = log.read_bytes().decode(errors="surrogateescape")
    if transport == "streamable-http":
        assert_clean(text)
    else:
        assert "forged" in text
        for line in text.removesuffix("\n").split("\n"):
            assert line.isprintable(), repr(line)
            assert RECORD.match(line) or line.startswith("  ") or line == "opening", repr(line)


@pytest.mark.parametrize("level", ["info", "debug"])
def test_a_request_is_logged_when_it_is_refused_and_always_at_debug(
    crashing: Generated, check: WireCheck, tmp_path: Path, level: str
) -> None:
    log = tmp_path / "log.txt"
    with listening(crashing, "streamable-http", log, "--log-level", level) as server:
        with HttpClient(server, MODERN, check) as client:
            client.call("greet")
        assert server.request("GET", "/nowhere?token=secret")[0] == 404
    text = log.read_text()
    assert "INFO crashing._generated.listener: answered GET /nowhere with 404" in text
    assert text.count('"POST /mcp HTTP/1.1" 200') == (level == "debug")
    assert level == "debug" or "secret" not in text
