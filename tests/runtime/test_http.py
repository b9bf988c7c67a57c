"""The ASGI app of a server, asked in memory: whom it lets in, and what it serves."""

from __future__ import annotations

import argparse
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio
import anyio.lowlevel
import httpx2
import pytest
from mcp.server import Server
from starlette.responses import Response

from templates.python.runtime import listener as runtime
from templates.python.runtime.bearer import OneToken
from templates.python.runtime.command import SettingsError
from templates.python.runtime.http import Http
from templates.python.runtime.listener import Gate, Weight
from templates.python.runtime.origins import CrossOriginHttp
from templates.python.runtime.proxy import BehindProxy
from templates.python.runtime.settings import EnvironmentSettings
from templates.python.runtime.sse import sse_routes
from tests.runtime.serving import options, reached, server_of

pytestmark = pytest.mark.anyio

TOKEN = "correct horse battery staple"
OURS = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
DOORS = [
    ("POST", "/mcp"),
    ("GET", "/mcp"),
    ("DELETE", "/mcp"),
    ("GET", "/sse"),
    ("POST", "/messages/"),
]


async def greet(arguments: Any, context: Any) -> str:
    return "Hello!"


def load(_: argparse.Namespace) -> Server[Any]:
    return server_of(greet)


@asynccontextmanager
async def asked(
    verifier: OneToken | None = None, kind: type[Http] = Http, **given: Any
) -> AsyncGenerator[httpx2.AsyncClient]:
    """Yield a client of an app with all transports."""
    app = kind(load, beside=sse_routes).app(options(**given), verifier)
    async with reached(app) as client:
        yield client


@pytest.mark.parametrize("door", DOORS, ids=" ".join)
@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer wrong",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN} and more",
        f"Basic {TOKEN}",
        TOKEN,
        "Bearer \xfc\xff",
    ],
)
async def test_a_request_without_a_token_is_challenged(
    authorization: str | None, door: tuple[str, str]
) -> None:
    headers = []
    if authorization is not None:
        headers = [(b"Authorization", authorization.encode("latin-1"))]
    async with asked(OneToken(TOKEN)) as client:
        answer = await client.request(*door, headers=headers, json=PING)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert TOKEN not in answer.text


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
async def test_a_request_with_the_token_is_served(scheme: str) -> None:
    async with asked(OneToken(TOKEN)) as client:
        headers = OURS | {"Authorization": f"{scheme} {TOKEN}"}
        answer = await client.post("/mcp", headers=headers, json=PING)
    assert answer.status_code < 401


STRANGERS: Mapping[str, tuple[Mapping[str, str], int]] = {
    "another host": ({"Host": "evil.example"}, 421),
    "a longer host": ({"Host": "127.0.0.1.evil.example"}, 421),
    "a user in the host": ({"Host": "localhost@evil.example"}, 421),
    "another origin": ({"Origin": "https://evil.example"}, 403),
    "a longer origin": ({"Origin": "http://localhost.evil.example"}, 403),
    "an origin that is none": ({"Origin": "null"}, 403),
}


@pytest.mark.parametrize("door", DOORS, ids=" ".join)
@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_page_of_another_origin_is_refused(stranger: str, door: tuple[str, str]) -> None:
    """DNS rebinding and cross-site requests (MCP basic/transports, security)."""
    headers, status = STRANGERS[stranger]
    async with asked(OneToken(TOKEN)) as client:
        answer = await client.request(*door, headers={**OURS, **headers}, json=PING)
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Host", "localhost"),
        ("Host", "localhost:9999"),
        ("Host", "[::1]:9999"),
        ("Host", "tools.example.org"),
        ("Host", "tools.example.org:443"),
        ("Origin", "http://localhost:5173"),
        ("Origin", "https://tools.example.org"),
    ],
)
async def test_localhost_and_allowed_hosts_are_accepted(header: str, value: str) -> None:
    async with asked(allowed_hosts=" tools.example.org,other.example ") as client:
        answer = await client.post("/mcp", headers={**OURS, header: value}, json=PING)
    assert answer.status_code in (200, 400)


SITE = "https://app.example.org"


@pytest.mark.parametrize(
    ("allowed", "site", "is_let_in"),
    [
        (SITE, SITE, True),
        (f"http://localhost:5173, {SITE}", SITE, True),
        (SITE, f"{SITE}:8443", False),
        (SITE, f"{SITE}.evil.example", False),
        ("", SITE, False),
        ("*", SITE, True),
        ("*", "http://other.example:8080", True),
    ],
)
async def test_only_pages_of_listed_sites_may_call_and_read_the_answer(
    allowed: str, site: str, is_let_in: bool
) -> None:
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "mcp-name"}
    async with asked(kind=CrossOriginHttp, allowed_origins=allowed) as client:
        preflight = await client.options("/mcp", headers={"Origin": site, **asks})
        answer = await client.put("/mcp", headers={**OURS, "Origin": site})
    assert preflight.status_code == (200 if is_let_in else 400)
    assert answer.status_code == (405 if is_let_in else 403)
    may_read = answer.headers.get("Access-Control-Allow-Origin") in (site, "*")
    assert may_read == is_let_in


@pytest.mark.parametrize(
    "origin",
    [
        "app.example.org",
        "https://app.example.org/",
        "https://App.example.org",
        "https://app.example.org:443",
        "http://app.example.org:80",
        "https://*.example.org",
        "https://ada@app.example.org",
        "https://café.example",
        "null",
    ],
)
async def test_invalid_origins_are_refused(origin: str) -> None:
    with pytest.raises(SettingsError, match="--allowed-origins cannot have"):
        CrossOriginHttp(load).origins_in(f"{SITE},{origin}")


async def test_a_shared_token_cannot_be_combined_with_pages_of_all_sites() -> None:
    assert CrossOriginHttp(load).origins_in("*") == ["*"]
    with pytest.raises(SettingsError, match="--allowed-origins cannot have '\\*'"):
        CrossOriginHttp(load, any_site=False).origins_in("*")


@pytest.mark.parametrize(
    ("root_path", "prefix", "trusted", "path", "is_found"),
    [
        ("/tools", "", "", "/mcp", True),
        ("/tools", "", "", "/tools/mcp", True),
        ("/tools", "", "", "/toolsmcp", False),
        ("", "", "", "/tools/mcp", False),
        ("", "/tools/", "127.0.0.0/8", "/tools/mcp", True),
        ("/old", "/a/tools", "*", "/a/tools/mcp", True),
        ("", "/tools", "127.0.0.0/8", "/mcp", True),
        ("", "/tools", "10.0.0.1", "/tools/mcp", False),
        ("", "//tools", "127.0.0.0/8", "//tools/mcp", False),
    ],
)
async def test_the_path_prefix_of_a_trusted_proxy_is_used(
    root_path: str, prefix: str, trusted: str, path: str, is_found: bool
) -> None:
    app = Http(load).app(options())
    transport = httpx2.ASGITransport(BehindProxy(app, root_path, trusted))
    headers = {"X-Forwarded-Prefix": prefix}
    async with (
        app.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client,
    ):
        answer = await client.put(f"http://127.0.0.1:8000{path}", headers=headers)
    assert answer.status_code == (405 if is_found else 404)


PLACES = ("/health", "/readyz", "/livez", "/mcp")


async def test_everybody_can_read_health() -> None:
    http = Http(load)
    app = http.app(options(), OneToken(TOKEN))

    async def status() -> list[tuple[int, str | None]]:
        answers = [await client.get(path) for path in PLACES]
        return [(answer.status_code, answer.headers.get("Connection")) for answer in answers]

    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app), base_url="http://cluster"
    ) as client:
        assert await status() == [(200, None), (200, None), (200, None), (401, None)]
        http.gate.status = "stopping"
        assert await status() == [(503, None), (503, None), (200, None), (401, "close")]


async def test_only_get_opens_a_stream() -> None:
    """A client that tries streamable HTTP first goes on with SSE when its post is refused.

    (MCP 2025-11-25, basic/transports#backwards-compatibility)
    """
    async with asked() as client:
        for method in ("POST", "DELETE", "PUT"):
            assert (await client.request(method, "/sse")).status_code == 405


@pytest.mark.parametrize("path", ["/mcp", "/messages/?session_id=" + "0" * 32])
async def test_a_body_that_is_too_long_is_refused(path: str) -> None:
    async with asked() as client:
        answer = await client.post(path, headers=OURS, content=b" " * 10_001)
    assert answer.status_code == 413


async def test_the_parameters_of_initialize_are_limited_in_size() -> None:
    """A session keeps the parameters of `initialize` as long as it lasts."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}}
    async with asked(message_size=100_000) as client:
        for length, ends_well in ((30_000, True), (40_000, False)):
            params = {**hello, "clientInfo": {"name": "a" * length, "version": "1"}}
            message = {**PING, "method": "initialize", "params": params}
            answer = await client.post("/mcp", headers=OURS, json=message)
            assert ('"result"' in answer.text) == ends_well
            assert ("initialize has more than 32768 bytes" in answer.text) != ends_well


async def test_other_machines_are_served_only_if_that_is_configured() -> None:
    for http in (Http(load), Http(load, verifier=lambda: None)):
        with pytest.raises(SettingsError, match=r"others can reach a server at 0\.0\.0\.0"):
            await http.serve(options(host="0.0.0.0"))


async def test_a_call_counts_until_it_ends_even_if_its_request_ends_earlier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runtime, "MAX_REQUESTS", 1)
    gate, let_go = Gate(), anyio.Event()
    request = argparse.Namespace(scope={"weight": Weight(gate, 0)})
    call: Any = argparse.Namespace(method="tools/call", request=request)

    async def call_next(_: Any) -> dict[str, Any]:
        await let_go.wait()
        return {}

    transport = httpx2.ASGITransport(gate.before(Response(status_code=204)))
    async with (
        httpx2.AsyncClient(transport=transport, base_url="http://a") as client,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(gate.counted, call, call_next)
        await anyio.lowlevel.checkpoint()
        assert (await client.post("/")).status_code == 503
        let_go.set()
        await gate.finished(1)
        assert (await client.post("/")).status_code == 204


async def test_bodies_of_unknown_length_count_as_they_arrive(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runtime, "MAX_BYTES_AT_WORK", 1000)
    let_go = anyio.Event()

    async def body(length: int) -> AsyncGenerator[bytes]:
        yield b" " * length
        await let_go.wait()

    async with asked() as client, anyio.create_task_group() as tasks:
        tasks.start_soon(partial(client.post, "/mcp", headers=OURS, content=body(900)))
        await anyio.wait_all_tasks_blocked()
        answer = await client.post("/mcp", headers=OURS, content=body(200))
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
        let_go.set()


@pytest.mark.parametrize("token", ["two\nlines", "clé", "bell\a"])
async def test_a_token_that_is_invalid_in_a_header_is_refused(
    token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", token)
    with pytest.raises(SettingsError, match="TOKEN must be printable ASCII") as raised:
        OneToken.from_environment("TOKEN")
    assert token not in str(raised.value)


async def test_a_token_from_a_file_may_end_with_a_line_break(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOKEN", f"{TOKEN}\n")
    verifier = OneToken.from_environment("TOKEN")
    assert verifier
    assert await verifier.verify_token(TOKEN)
    assert await verifier.verify_token(f"{TOKEN}\n") is None


@dataclass(frozen=True)
class Locked(EnvironmentSettings):
    token: str = field(default="", metadata={"variable": "TOKEN"})


async def test_a_token_may_be_missing_unless_it_is_required(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOKEN", "")
    assert OneToken.from_environment("TOKEN") is None
    with pytest.raises(SettingsError, match="TOKEN is not set"):
        OneToken.from_environment("TOKEN", Locked)


async def test_the_lifespan_is_entered_once_for_all_clients() -> None:
    opened: list[str] = []

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncGenerator[str]:
        opened.append("opened")
        yield "shared"
        opened.append("closed")

    def with_lifespan(_: argparse.Namespace) -> Server[Any]:
        server = server_of(greet)
        server.lifespan = lifespan
        return server

    app = Http(with_lifespan, beside=sse_routes).app(options())
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "a", "version": "1"},
    }
    async with reached(app) as client:
        for _ in range(2):
            message = {**PING, "method": "initialize", "params": hello}
            answer = await client.post("/mcp", headers=OURS, json=message)
            assert "protocolVersion" in json.dumps(answer.text)
        assert opened == ["opened"]
    assert opened == ["opened", "closed"]
