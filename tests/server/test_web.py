"""Servers that listen: what all of them keep to, tried on processes; the rest is in `tests/runtime`."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from tests.generated import Generated, WebServer, WebServers, generate, listening
from tests.raw_client import LEGACY, MODERN, RawClient, StdioClient, WireCheck
from tests.raw_web_client import JSON_HEADERS, HttpClient, SseClient, post
from tests.waiting import WITHIN, wait_until

TOKEN = "correct horse battery staple"
WEB = ["streamable-http", "sse"]


@pytest.fixture(scope="module")
def guarded(
    workshop: Generated, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], WebServer]]:
    """The running server of a transport that asks for a token."""
    with WebServers(workshop, tmp_path_factory, WORKSHOP_TOKEN=TOKEN) as servers:
        yield servers


@pytest.mark.parametrize("transport", WEB)
@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_only_requests_with_the_token_are_served(
    guarded: Callable[[str], WebServer], check: WireCheck, transport: str, version: str
) -> None:
    server = guarded(transport)
    kind = SseClient if transport == "sse" else HttpClient
    client: RawClient = kind(server, version, check, {"Authorization": f"Bearer {TOKEN}"})
    with client:
        assert client.call("greet", name="Ada")["result"]["content"][0]["text"] == "Hello, Ada!"
    assert client.faults == []
    assert TOKEN not in client.log
    path = "/messages/?session_id=00" if transport == "sse" else "/mcp"
    assert post(server.port, path, b"{}", {}).status == 401
    assert server.request("GET", "/health")[0] == 200


def test_the_sse_stream_names_the_path_prefix_of_a_proxy(
    workshop: Generated, check: WireCheck, tmp_path: Path
) -> None:
    """Clients resolve the address for their messages, so it needs the whole path."""
    with listening(workshop, "sse", tmp_path / "log.txt", "--root-path", "/tools/") as server:
        for headers, path in (({}, "/tools"), ({"X-Forwarded-Prefix": "/a/b"}, "/a/b")):
            with SseClient(server, LEGACY[-1], check, headers) as client:
                assert client.endpoint.startswith(f"{path}/messages/")
                assert "result" in client.call("greet", name="Ada")
    for wrong in (("--root-path", "tools"), ("--forwarded-allow-ips", "proxy")):
        assert workshop.run(*wrong).returncode == 2


def test_a_server_that_requires_a_token_asks_for_it_over_http_alone(
    tmp_path: Path, check: WireCheck
) -> None:
    spec = {
        "name": "locked",
        "version": "1",
        "transports": ["stdio", *WEB],
        "auth": {"bearer": {"env": "LOCKED_TOKEN", "required": True}},
        "env": [
            {"name": "LOCKED_TOKEN", "secret": True, "required": False},
            {"name": "LOCKED_DOOR", "type": "path", "required": True},
        ],
        "tools": [{"name": "open", "description": "Open.", "inputSchema": {"type": "object"}}],
    }
    locked = generate(spec, tmp_path / "locked")
    for transport in WEB:
        ran = locked.run("--transport", transport, "--port", "0")
        assert ran.returncode == 1
        token = b"LOCKED_TOKEN is not set: HTTP needs the token"
        assert ran.stderr == b"locked: %s; LOCKED_DOOR is not set\n" % token
    locked = replace(locked, env={"LOCKED_DOOR": "front"})
    with StdioClient(locked, MODERN, check) as client:
        assert client.request("tools/list")["result"]["tools"] == spec["tools"]


def test_a_port_in_use_is_reported(workshop: Generated) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        ran = workshop.run("--transport", "sse", "--port", port)
    assert ran.returncode == 1
    words = f"workshop: port {port} is in use: choose another with --port\n"
    assert ran.stderr.decode().endswith(words)
    assert ran.stderr.count(b"\n") <= 2  # The warning about the token may be before it.


@pytest.mark.parametrize("transport", ["stdio", *WEB[:1]])
def test_a_missing_variable_is_a_one_line_error_at_the_start(
    workshop: Generated, transport: str
) -> None:
    ran = Generated(workshop.folder, workshop.package).run("--transport", transport)
    assert (ran.returncode, ran.stdout) == (1, b"")
    *warnings, last = ran.stderr.splitlines()
    assert last == b"workshop: WORKSHOP_DIARY is not set"
    assert all(b" WARNING workshop._generated.runtime.bearer: " in line for line in warnings)


def test_probes_are_answered_however_many_clients_are_connected(
    workshop: Generated, tmp_path: Path
) -> None:
    """A request too many is refused before its body is read; a free place serves the next."""
    unfinished = (
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 10\r\n\r\n"
    )
    with ExitStack() as stack:
        server = stack.enter_context(listening(workshop, "streamable-http", tmp_path / "log.txt"))

        def connect() -> socket.socket:
            return stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))

        requests = [connect() for _ in range(1000)]
        for request in requests:
            request.sendall(unfinished)
        _ = [connect() for _ in range(200)]
        wait_until(lambda: post(server.port, "/mcp", b"{}", {}).status == 503)
        refused = post(server.port, "/mcp", b"{}", {})
        assert (refused.headers["Retry-After"], refused.body) == ("1", b'{"status":"busy"}')
        for probe in ("/livez", "/health"):
            status, _, body = server.request("GET", probe)
            assert (status, body) == (200, b'{"status":"ok"}')
        requests[0].close()
        wait_until(lambda: post(server.port, "/mcp", b"{}", {}).status == 400)


@pytest.mark.parametrize("kind", ["SSE", LEGACY[-1], MODERN])
def test_bodies_beyond_the_memory_limit_are_refused_unread(
    workshop: Generated, check: WireCheck, tmp_path: Path, kind: str
) -> None:
    """The messages of calls that run may take 64 MB."""
    end, diary, large = tmp_path / "end", tmp_path / "diary.txt", "x" * 4_100_000
    transport = "sse" if kind == "SSE" else "streamable-http"
    with ExitStack() as stack:
        server = stack.enter_context(
            listening(workshop, transport, tmp_path / "log.txt", WORKSHOP_DIARY=str(diary))
        )
        client: HttpClient | SseClient
        if kind == "SSE":
            client = stack.enter_context(SseClient(server, LEGACY[-1], check))
        else:
            client = stack.enter_context(HttpClient(server, kind, check))
        path = client.endpoint if isinstance(client, SseClient) else "/mcp"

        def refused() -> bool:
            """Whether a body that is no message is not even read."""
            answer = post(server.port, path, b"?" * 4_100_000, {"Content-Type": "application/json"})
            return (answer.status, answer.headers["Retry-After"]) == (503, "1")

        assert not refused()
        calls = [client.start_call("slow", seconds=0, tag=large, until=str(end)) for _ in range(16)]
        wait_until(lambda: diary.read_text().count("begins") == 16)
        assert refused()
        end.touch()
        for call in calls:
            assert large in call.result(WITHIN)["result"]["content"][0]["text"]
        wait_until(lambda: not refused())


@pytest.mark.parametrize(
    "name",
    [
        "*",
        "*.example.org",
        "https://mcp.example.org/mcp",
        "mcp.example.org/",
        "a b",
        "a@b",
        "a:*",
        "::1",
    ],
)
def test_an_invalid_host_is_refused_at_the_start(workshop: Generated, name: str) -> None:
    ran = workshop.run("--transport", "streamable-http", "--allowed-hosts", f"localhost,{name}")
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert ran.stderr.decode().splitlines()[-1] == (
        f"workshop: --allowed-hosts cannot have {name!r}: write each host by its name alone,"
        " such as mcp.example.org or [2001:db8::1]"
    )


@pytest.mark.parametrize("transport", WEB)
def test_hosts_are_case_insensitive_and_the_log_names_the_option_that_allows_one(
    workshop: Generated, tmp_path: Path, transport: str
) -> None:
    log, path = tmp_path / "log.txt", "/sse" if transport == "sse" else "/mcp"
    allowed = ("--allowed-hosts", "MCP.example.org,[2001:DB8::1]:8443")
    with listening(workshop, transport, log, *allowed) as server:
        for host in ("LocalHost", "mcp.EXAMPLE.org:443", "[2001:db8::1]:8443"):
            assert server.request("HEAD", path, {"Host": host})[0] != 421
        assert log.read_text().count("--allowed-hosts") == 0
        assert server.request("GET", path, {"Host": "Other.example"})[0] == 421
    line = "WARNING workshop._generated.runtime.http: refused a request: 'other.example' is not"
    assert f"{line} in --allowed-hosts\n" in log.read_text()


def test_a_final_slash_is_served_without_a_redirect(
    guarded: Callable[[str], WebServer], check: WireCheck
) -> None:
    """Behind a proxy that ends TLS, a redirect would send the token in the clear."""
    server = guarded("streamable-http")
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with HttpClient(server, MODERN, check, headers) as client:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        message["params"] = {"_meta": client.envelope()}
        answer = post(
            server.port, "/mcp/", json.dumps(message).encode(), client.headers_of(message)
        )
    assert answer.status == 200
    assert answer.messages[0]["result"]["tools"]


def test_a_client_that_disconnects_inside_a_body_is_not_logged_as_a_failure(
    workshop: Generated, check: WireCheck, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    with (
        listening(workshop, "streamable-http", log) as server,
        HttpClient(server, LEGACY[-1], check) as client,
    ):
        for headers in ({}, client.headers, {"MCP-Protocol-Version": MODERN}):
            lines = [f"{name}: {value}\r\n" for name, value in {**JSON_HEADERS, **headers}.items()]
            for body in (
                "Content-Length: 10\r\n\r\n{",
                "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
            ):
                with socket.create_connection(("127.0.0.1", server.port)) as connection:
                    head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\n"
                    connection.sendall("".join([head, *lines, body]).encode())
        assert client.call("greet", name="Ada")["result"]["content"][0]["text"] == "Hello, Ada!"
    assert not re.search("ERROR|Traceback", log.read_text())


def test_a_stateless_server_keeps_its_clients_across_a_restart(
    check: WireCheck, tmp_path: Path
) -> None:
    """Many clients up to 2025-11-25 do not open a session anew."""
    spec = {
        "name": "plain",
        "version": "1",
        "transports": ["streamable-http"],
        "tools": [{"name": "find", "description": "Find.", "inputSchema": {"type": "object"}}],
    }
    plain, log = generate(spec, tmp_path / "plain"), tmp_path / "log.txt"
    with listening(plain, "streamable-http", log) as server:
        client = HttpClient(server, LEGACY[-1], check)
        client.handshake()
    port = str(server.port)
    with listening(plain, "streamable-http", log, port=port):
        assert "Mcp-Session-Id" not in client.headers
        assert "result" in client.call("find")
    with listening(plain, "streamable-http", log, "--stateless", "no", port=port):
        client.handshake()
        assert "Mcp-Session-Id" in client.headers


def test_session_ids_are_not_logged(workshop: Generated, check: WireCheck, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    with (
        listening(workshop, "streamable-http", log, "--stateless", "no") as server,
        HttpClient(server, LEGACY[-1], check) as client,
    ):
        client.call("nothing")
    assert len(client.headers["Mcp-Session-Id"]) >= 32
    assert client.headers["Mcp-Session-Id"] not in log.read_text()
