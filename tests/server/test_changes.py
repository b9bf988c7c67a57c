"""Clients that are told of changes: those that come and go, that are slow, or that want it all."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from queue import Empty

import pytest

from tests.generated import Generated, WebServer, generate, listening
from tests.raw_client import (
    CLIENT_INFO,
    LEGACY,
    Message,
    RawClient,
    StdioClient,
    WireCheck,
)
from tests.raw_web_client import SseClient, post

TICK = """
from news._generated.changes import resource_updated


async def tick(arguments, context):
    for number in range(arguments.model_extra.get("times", 1)):
        await resource_updated(arguments.model_extra.get("uri", "news://today"))
    return "told"
"""
BURST = """
from news._generated.changes import resource_updated


async def burst(arguments, context):
    # Without a pause, as when many things change at once.
    for number in range(arguments.model_extra["times"]):
        try:
            resource_updated("news://today").send(None)
        except StopIteration:
            pass
    return "told"
"""
LISTENERS = """
import gc

from mcp.server.subscriptions import InMemorySubscriptionBus


async def listeners(arguments, context):
    buses = [one for one in gc.get_objects() if type(one) is InMemorySubscriptionBus]
    return str(sum(len(bus._listeners) for bus in buses))
"""
URI = "news://today"


@pytest.fixture(scope="module")
def news(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """A server whose one resource changes when it is told to."""
    names = ("tick", "burst", "listeners")
    spec = {
        "name": "news",
        "version": "1",
        "transports": ["stdio", "sse"],
        "tools": [{"name": n, "description": n, "inputSchema": {"type": "object"}} for n in names],
        "resources": [{"uri": URI, "name": "today", "text": "None."}],
        "resourceTemplates": [{"uriTemplate": "paper://{number}", "name": "paper"}],
        "capabilities": {"resources": {"subscribe": True}},
    }
    handlers = dict(zip(names, (TICK, BURST, LISTENERS), strict=True))
    return generate(
        spec,
        tmp_path_factory.mktemp("news") / "news",
        handlers={f"tools/{name}.py": text for name, text in handlers.items()},
    )


def test_a_client_that_skips_the_handshake_leaves_nothing_in_the_log(
    news: Generated,
) -> None:
    ran = news.run(input=b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


@pytest.fixture(scope="module")
def web(news: Generated, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    with listening(news, "sse", tmp_path_factory.mktemp("log") / "log.txt") as server:
        yield server


@pytest.fixture
def client(news: Generated, check: WireCheck) -> Iterator[RawClient]:
    with StdioClient(news, LEGACY[-1], check) as client:
        yield client
        assert client.faults == []


def subscribe(client: RawClient, uri: str = URI) -> Message:
    return client.request("resources/subscribe", {"uri": uri})


def told(client: RawClient, within: float) -> list[Message]:
    """What comes unasked until it is quiet for a while."""
    found = []
    with contextlib.suppress(Empty):
        while True:
            found.append(client.unclaimed.get(timeout=within))
    return found


def test_only_what_was_subscribed_to_is_told_and_only_while_it_is(
    client: RawClient,
) -> None:
    client.call("tick")
    subscribe(client)
    client.call("tick", uri="paper://1")
    client.call("tick")
    assert [m["params"]["uri"] for m in told(client, 0.5)] == [URI]
    client.request("resources/unsubscribe", {"uri": URI})
    client.call("tick")
    assert told(client, 0.5) == []


def test_a_burst_of_changes_fails_nobody_and_does_not_pile_up(
    client: RawClient,
) -> None:
    subscribe(client)
    time.sleep(0.2)
    answer = client.call("burst", times=5000)
    assert not answer["result"].get("isError"), answer
    assert 0 < len(told(client, 1.0)) < 2500
    client.call("tick")
    assert [m["params"]["uri"] for m in told(client, 0.5)] == [URI]
    assert "Traceback" not in client.log


def test_a_client_has_only_so_many_subscriptions(client: RawClient) -> None:
    assert "result" in subscribe(client)
    answers = [subscribe(client, f"paper://{number}") for number in range(1100)]
    (code,) = {a["error"]["code"] for a in answers if "error" in a}
    assert code == -32602
    assert "error" not in answers[500]
    assert "error" in subscribe(client, "paper://more")
    client.request("resources/unsubscribe", {"uri": "paper://0"})
    assert "result" in subscribe(client, "paper://more")
    client.call("tick")
    assert [m["params"]["uri"] for m in told(client, 0.5)] == [URI]


def test_no_listener_stays_behind_when_clients_go(web: WebServer, check: WireCheck) -> None:
    with SseClient(web, LEGACY[-1], check) as observer:

        def listening_now() -> int:
            return int(observer.call("listeners")["result"]["content"][0]["text"])

        at_first = listening_now()
        for _ in range(5):
            with SseClient(web, LEGACY[-1], check) as guest:
                subscribe(guest)
        until = time.monotonic() + 20
        while listening_now() > at_first and time.monotonic() < until:
            observer.call("tick")
            time.sleep(0.05)
        assert listening_now() == at_first


def test_a_client_that_does_not_read_holds_up_no_other(web: WebServer, check: WireCheck) -> None:
    uri = "paper://" + "9" * 4000
    with SseClient(web, LEGACY[-1], check) as quick, silent(web, uri):
        answer = quick.call("tick", times=3000, uri=uri)  # 12 MB, more than connections hold
        assert not answer["result"].get("isError")
        subscribe(quick)
        quick.call("tick")
        assert [m["params"]["uri"] for m in told(quick, 0.5)] == [URI]
    assert "Traceback" not in web.log.read_text()


@contextlib.contextmanager
def silent(web: WebServer, uri: str) -> Iterator[None]:
    """A client that subscribes, and does not read what it is sent."""
    stream = HTTPConnection("127.0.0.1", web.port, timeout=60)
    stream.request("GET", "/sse")
    with (
        contextlib.closing(stream),
        contextlib.closing(stream.getresponse()) as response,
    ):
        lines = iter(response.readline, b"")
        endpoint = next(line.decode()[5:].strip() for line in lines if line.startswith(b"data:"))
        hello = {
            "protocolVersion": LEGACY[-1],
            "capabilities": {},
            "clientInfo": CLIENT_INFO,
        }
        for number, (method, params) in enumerate(
            [
                ("initialize", hello),
                ("notifications/initialized", {}),
                ("resources/subscribe", {"uri": uri}),
            ]
        ):
            id_ = {} if method.startswith("notifications/") else {"id": number}
            message = {"jsonrpc": "2.0", "method": method, "params": params, **id_}
            assert post(web.port, endpoint, json.dumps(message).encode(), {}).status == 202
        yield
