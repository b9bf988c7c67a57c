"""HTTP as servers of the pack python-stdlib read it: strictly, and each request in one way only."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.generated import Generated, WebServer, generate, listening
from tests.raw_client import CLIENT_INFO, LEGACY

HELLO = {"protocolVersion": LEGACY[-1], "capabilities": {}, "clientInfo": CLIENT_INFO}
BODY = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}).encode()
HEADERS = b"Host: localhost\r\nContent-Type: application/json\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
CHUNKED = b"Transfer-Encoding: chunked\r\n"
HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def post(headers: bytes, body: bytes = BODY, version: bytes = b"1.1") -> bytes:
    return b"POST /mcp HTTP/" + version + b"\r\n" + HEADERS + headers + b"\r\n" + body


def chunk(data: bytes, extension: bytes = b"") -> bytes:
    return b"%x%b\r\n%b\r\n" % (len(data), extension, data)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    spec = {
        "name": "plain",
        "version": "1",
        "transports": ["streamable-http"],
        "prompts": [{"name": "hello", "messages": [{"role": "user", "content": "Hello"}]}],
    }
    folder = tmp_path_factory.mktemp("plain") / "plain"
    return generate(spec, folder, pack="python-stdlib")


@pytest.fixture(scope="module")
def server(plain: Generated, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    log = tmp_path_factory.mktemp("log") / "log.txt"
    with listening(plain, "streamable-http", log) as server:
        yield server
    assert "Traceback" not in log.read_text()


def sent(server: WebServer, *parts: bytes) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    with suppress(OSError):  # It may hang up before the end.
        for part in parts:
            line.sendall(part)
    return line


def statuses(server: WebServer, *parts: bytes) -> list[int]:
    """The statuses of all responses until the server hangs up."""
    received = b""
    with sent(server, *parts) as line, suppress(ConnectionResetError):
        while part := line.recv(65536):
            received += part
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+) ", received)]


WHOLE = {
    "a length": post(LENGTH),
    "chunks": post(CHUNKED, chunk(BODY[:9]) + chunk(BODY[9:]) + b"0\r\n\r\n"),
    "names in any case": post(LENGTH.lower() + b"ACCEPT: */*\r\n"),
    "chunks with extensions and trailers": post(
        b"transfer-encoding: Chunked\r\n", chunk(BODY, b";a=b") + b"0\r\nX-Sum: 7\r\n\r\n"
    ),
    "values with Latin letters": post(LENGTH + b"X-Name: Andr\xe9\r\n"),
}
LAST = {
    "asked to close": post(LENGTH + b"Connection: close\r\n"),
    "HTTP/1.0": post(LENGTH, version=b"1.0"),
}
WRONG = {
    "a length and chunks": post(LENGTH + CHUNKED, b"0\r\n\r\n" + HEALTH),
    "two lengths": post(LENGTH + LENGTH),
    "two lengths in one": post(b"Content-Length: 5, 5\r\n"),
    "a signed length": post(b"Content-Length: +5\r\n"),
    "a negative length": post(b"Content-Length: -5\r\n"),
    "a hexadecimal length": post(b"Content-Length: 0x5\r\n"),
    "digits of another script": post("Content-Length: ²\r\n".encode("latin-1")),
    "another coding": post(b"Transfer-Encoding: gzip, chunked\r\n"),
    "chunks twice": post(CHUNKED + CHUNKED),
    "a coding after a control character": post(b"Transfer-Encoding:\x0bchunked\r\n"),
    "chunks in HTTP/1.0": post(CHUNKED, version=b"1.0"),
    "a folded line": post(LENGTH + b"X-Long: a\r\n b\r\n"),
    "a line feed in a value": post(b"X-Two: a\nContent-Length: 5\r\n"),
    "a carriage return in a value": post(LENGTH + b"X-Two: a\rb\r\n"),
    "a null in a value": post(LENGTH + b"X-Null: a\0b\r\n"),
    "a space before a colon": post(b"Content-Length : 5\r\n"),
    "no colon": post(LENGTH + b"what\r\n"),
    "a chunk longer than it says": post(CHUNKED, b"5\r\nabcdefg\r\n0\r\n\r\n"),
    "a chunk that ends as the next would": post(
        CHUNKED, b"%x\r\n%bXX0\r\n\r\n" % (len(BODY), BODY)
    ),
    "a chunk of negative length": post(CHUNKED, b"-5\r\nabcde\r\n"),
    "a chunk with 0x": post(CHUNKED, b"0x5\r\nabcde\r\n"),
    "no host": b"GET /health HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n",
    "another version": b"GET /health HTTP/2.0\r\nHost: localhost\r\n\r\n",
    "a whole address": b"GET http://localhost/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "two spaces": b"GET  /health HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\0\x01\0\xfc\x03\x03\r\n\r\n",
}
LONG = {
    "a head": (b"GET /health HTTP/1.1\r\nX-Long: " + b"x" * 70_000, 431),
    "a body": (post(b"Content-Length: 99999999\r\n"), 413),
    "a length of many digits": (post(b"Content-Length: " + b"9" * 5000 + b"\r\n"), 413),
    "chunks": (post(CHUNKED, b"FFFFFFFF\r\nabc"), 413),
}


@pytest.mark.parametrize("request_", WHOLE.values(), ids=WHOLE)
def test_each_request_is_answered_and_the_next_one_too(server: WebServer, request_: bytes) -> None:
    assert statuses(server, request_ + request_, LAST["asked to close"]) == [200, 200, 200]


@pytest.mark.parametrize("request_", LAST.values(), ids=LAST)
def test_the_last_request_of_a_connection_ends_it(server: WebServer, request_: bytes) -> None:
    assert statuses(server, request_, HEALTH) == [200]


def test_a_request_may_come_in_any_parts(server: WebServer) -> None:
    request = post(CHUNKED, chunk(BODY[:9]) + chunk(BODY[9:]) + b"0\r\n\r\n")
    request += LAST["asked to close"]
    assert statuses(server, *(request[n : n + 1] for n in range(len(request)))) == [200, 200]


@pytest.mark.parametrize("request_", WRONG.values(), ids=WRONG)
def test_what_could_be_read_in_two_ways_is_refused_with_all_that_follows(
    server: WebServer, request_: bytes
) -> None:
    assert statuses(server, request_ + HEALTH) == [400]


@pytest.mark.parametrize(("request_", "status"), LONG.values(), ids=LONG)
def test_what_is_too_long_is_refused_before_it_is_read(
    server: WebServer, request_: bytes, status: int
) -> None:
    assert statuses(server, request_) == [status]


def test_a_client_that_waits_before_its_body_is_told_to_go_on(server: WebServer) -> None:
    with sent(server, post(LENGTH + b"Expect: 100-continue\r\n", b"")) as line:
        assert line.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        line.sendall(BODY)
        assert line.recv(100).startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_response_to_head_has_no_body(server: WebServer) -> None:
    with sent(server, HEALTH.replace(b"GET", b"HEAD")) as line:
        answer = line.recv(1000)
        assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
        assert answer.endswith(b"\r\nContent-Length: 15\r\n\r\n")
