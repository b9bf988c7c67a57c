"""Whom a server that listens lets in: tokens, hosts, origins, and where it listens at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path

import pytest

from tests.generated import Generated, WebServer, free_port, generate, listening
from tests.raw_client import LEGACY, MODERN, RawClient, WireCheck
from tests.raw_web_client import HttpClient, SseClient, post

TOKEN = "correct horse battery staple"
WEB = ["streamable-http", "sse"]


@pytest.fixture(scope="module")
def guarded(
    workshop: Generated, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], WebServer]]:
    """The running server of a transport, a token asked for, another name of the machine allowed."""
    running: dict[str, WebServer] = {}
    with ExitStack() as stack:

        def get(transport: str) -> WebServer:
            if transport not in running:
                log = tmp_path_factory.mktemp("guarded") / "log.txt"
                options = ("--allowed-host", "tools.example.org")
                server = listening(workshop, transport, log, *options, WORKSHOP_TOKEN=TOKEN)
                running[transport] = stack.enter_context(server)
            return running[transport]

        yield get


def knock(
    server: WebServer, transport: str, headers: Mapping[str, str]
) -> tuple[int, HTTPMessage, bytes]:
    """What the first request of a client is answered with; a stream is not read."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    wanted = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        **headers,
    }
    if transport == "sse":
        connection.request("GET", "/sse", headers=wanted)
    else:
        connection.request("POST", "/mcp", body, wanted)
    response = connection.getresponse()
    read = b"" if response.status == 200 else response.read()
    status, answered = response.status, response.headers
    response.close()
    connection.close()
    return status, answered, read


@pytest.mark.parametrize("transport", WEB)
@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        f"Bearer\t{TOKEN}",
        f"Bearer {TOKEN} and more",
        f"Bearer {TOKEN[:-1]}",
        f"Basic {TOKEN}",
        TOKEN,
        "Bearer \xfc\xff",
    ],
)
def test_who_has_no_token_is_told_to_show_one(
    guarded: Callable[[str], WebServer], transport: str, authorization: str | None
) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    status, answered, body = knock(guarded(transport), transport, headers)
    assert status == 401
    assert answered["WWW-Authenticate"] == "Bearer"
    assert body == b"Unauthorized"


def test_messages_need_the_token_too(guarded: Callable[[str], WebServer]) -> None:
    answer = post(guarded("sse").port, "/messages/?session_id=00", b"{}", {})
    assert answer.status == 401


@pytest.mark.parametrize("transport", WEB)
@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Bearer  "])
def test_who_has_the_token_is_served(
    guarded: Callable[[str], WebServer],
    check: WireCheck,
    transport: str,
    version: str,
    scheme: str,
) -> None:
    kind = SseClient if transport == "sse" else HttpClient
    client: RawClient = kind(
        guarded(transport), version, check, {"Authorization": f"{scheme} {TOKEN}"}
    )
    with client:
        assert client.call("greet", name="Ada")["result"]["content"][0]["text"] == "Hello, Ada!"
    assert client.faults == []
    assert TOKEN not in client.log


@pytest.mark.parametrize("transport", WEB)
def test_health_is_open_to_all(guarded: Callable[[str], WebServer], transport: str) -> None:
    status, headers, body = guarded(transport).request("GET", "/health")
    assert (status, json.loads(body)) == (200, {"status": "ok"})
    assert headers["Content-Type"] == "application/json"


@pytest.mark.parametrize("transport", WEB)
@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Host", "evil.example", 421),
        ("Host", "127.0.0.1.evil.example", 421),
        ("Host", "localhost@evil.example", 421),
        ("Origin", "https://evil.example", 403),
        ("Origin", "http://localhost.evil.example", 403),
        ("Origin", "null", 403),
    ],
)
def test_a_page_from_elsewhere_is_refused(
    web: Callable[[str], WebServer], transport: str, header: str, value: str, status: int
) -> None:
    server = web(transport)
    logged = len(server.log.read_text())
    assert knock(server, transport, {header: value})[0] == status
    assert "Traceback" not in server.log.read_text()[logged:]


@pytest.mark.parametrize("transport", WEB)
@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Host", "localhost"),
        ("Host", "localhost:9999"),
        ("Host", "127.0.0.1"),
        ("Host", "LOCALHOST"),
        ("Host", "Tools.Example.Org:443"),
        ("Host", "[::1]:9999"),
        ("Host", "tools.example.org"),
        ("Host", "tools.example.org:443"),
        ("Origin", "http://localhost:5173"),
        ("Origin", "HTTP://LocalHost:5173"),
        ("Origin", "https://tools.example.org"),
    ],
)
def test_this_machine_and_the_names_that_were_allowed_are_let_in(
    guarded: Callable[[str], WebServer], transport: str, header: str, value: str
) -> None:
    headers = {header: value, "Authorization": f"Bearer {TOKEN}"}
    assert knock(guarded(transport), transport, headers)[0] in (200, 202, 400)


@pytest.mark.parametrize("transport", WEB)
def test_without_a_token_nobody_else_is_listened_to(workshop: Generated, transport: str) -> None:
    port = str(free_port())
    ran = workshop.run("--transport", transport, "--host", "0.0.0.0", "--port", port)
    assert ran.returncode == 1
    assert b"workshop: others can reach a server at 0.0.0.0" in ran.stderr
    assert b"set WORKSHOP_TOKEN, or pass --allow-unauthenticated" in ran.stderr
    assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize("token", [f"{TOKEN}\n", f" {TOKEN}", "two\nlines", "clé", "bell\a"])
def test_a_token_that_no_client_could_send_is_refused(workshop: Generated, token: str) -> None:
    port = str(free_port())
    ran = workshop.run("--transport", "sse", "--port", port, WORKSHOP_TOKEN=token)
    assert ran.returncode == 1
    assert b"workshop: no client could send WORKSHOP_TOKEN: it must be ASCII" in ran.stderr
    assert token.strip().encode() not in ran.stderr
    assert b"Traceback" not in ran.stderr


def test_a_spec_without_auth_is_where_to_declare_it(tmp_path: Path) -> None:
    spec = {
        "name": "open",
        "version": "1",
        "transports": ["streamable-http"],
        "http": {"host": "0.0.0.0"},
        "prompts": [{"name": "hello", "messages": [{"role": "user", "content": "Hello"}]}],
    }
    ran = generate(spec, tmp_path / "open").run("--port", str(free_port()))
    assert ran.returncode == 1
    assert b"declare `auth` in mcp.yaml, or pass --allow-unauthenticated" in ran.stderr


@pytest.mark.parametrize(
    ("options", "env"),
    [(["--allow-unauthenticated"], {}), ([], {"WORKSHOP_TOKEN": TOKEN})],
    ids=["allowed", "token"],
)
def test_others_are_listened_to_where_that_is_meant(
    workshop: Generated, tmp_path: Path, options: list[str], env: dict[str, str]
) -> None:
    options = ["--host", "0.0.0.0", *options]
    with listening(workshop, "streamable-http", tmp_path / "log.txt", *options, **env) as server:
        assert server.request("GET", "/health")[0] == 200
        assert knock(server, "streamable-http", {"Host": "evil.example"})[0] in (401, 421)
