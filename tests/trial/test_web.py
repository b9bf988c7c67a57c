"""Servers over HTTP that answer wrongly, and where the token goes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace

from scaffold.clients.server import Server
from scaffold.trial.findings import Trial
from tests.trial.entries import SERVER, SHELL, tried
from tests.web import Call, serving

HEADERS = {"Authorization": "Bearer ${TOKEN}"}


def trial(server: Server = SERVER, **fields: Any) -> Trial:
    return tried("claude-code", fields, server)


@dataclass
class Web:
    """A server at `url`; `heard` has the headers of each POST."""

    url: str = ""
    heard: list[Mapping[str, str]] = field(default_factory=list)


@contextmanager
def web(endpoint: str = "", kind: str = "") -> Iterator[Web]:
    """Run a server.

    It answers a GET with a stream that names an endpoint, and a POST with a body of some kind.
    """
    served, posted = Web(), Event()

    def answer(call: Call) -> None:
        if call.command == "POST":
            call.read()
            served.heard.append(dict(call.headers.items()))
            posted.set()
            call.reply(200 if kind else 202, b"{}" if kind else b"", kind or "text/plain")
        elif endpoint:
            call.close_connection = True
            call.send_response(200)
            call.send_header("Content-Type", "text/event-stream")
            call.end_headers()
            named = endpoint.replace("<here>", served.url)
            call.wfile.write(f"event: endpoint\ndata: {named}\n\n".encode())
            posted.wait(1)  # the stream stays open until its client has sent something
        else:
            call.reply(405)

    with serving(answer) as served.url:
        yield served


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_the_token_is_sent_to_no_server_that_the_answer_names(host: str) -> None:
    with web() as other:
        elsewhere = f"{other.url.replace('127.0.0.1', host)}/steal"
        with web(elsewhere) as server:
            result = trial(type="sse", url=server.url, headers=HEADERS)
    assert other.heard == []
    assert [finding.id for finding in result.findings] == ["client-answer"]
    assert f"it names {elsewhere}, which is another server" in result.findings[0].message


def test_an_address_on_the_same_server_gets_the_token() -> None:
    with web("<here>/messages?session=1") as server:
        trial(type="sse", url=server.url, headers=HEADERS)
    assert server.heard[0]["Authorization"] == f"Bearer {SHELL['TOKEN']}"


@pytest.mark.parametrize("type", ["http", "sse"])
@pytest.mark.parametrize(
    "address", ["http://annette:pass%40w0rd@<host>/mcp", "http://<host>/mcp?api_key=pass%40w0rd"]
)
def test_a_login_in_an_address_is_never_shown(address: str, type: str) -> None:
    with web("http://elsewhere/pass@w0rd/pass%40w0rd") as server:
        for host in ("127.0.0.1:9", server.url.removeprefix("http://")):
            result = trial(type=type, url=address.replace("<host>", host))
            assert not result.works
            assert not re.search("pass(@|%40)w0rd|annette", str(result.findings))


@pytest.mark.parametrize(
    ("address", "hint"),
    [
        ("{}/mcp", "start the server with `--transport streamable-http`, unless another program"),
        ("{}/", "the spec has `{}/mcp (streamable-http)`"),
        ("http://127.0.0.1:9/mcp", "the spec has `{}/mcp (streamable-http)`"),
        ("https{}/mcp", "the spec has `{}/mcp (streamable-http)`"),
    ],
)
def test_the_hint_names_the_right_address_or_that_the_server_is_not_running(
    address: str, hint: str
) -> None:
    with web() as other:
        port = int(other.url.rpartition(":")[2])
        url = address.format(other.url).replace("httpshttp", "https")
        server = replace(SERVER, transports=("streamable-http",), port=port)
        (finding,) = trial(server, type="http", url=url).findings
    assert finding.id == "client-address"
    assert hint.format(other.url) in (finding.hint or "")


def test_an_answer_has_the_content_type_that_clients_read() -> None:
    with web(kind="text/plain") as server:
        (finding,) = trial(type="http", url=server.url).findings
    assert finding.message == "its answer is `text/plain`, and clients read `application/json`"
