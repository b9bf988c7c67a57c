"""Clients that are told of changes while others do not read what they are told."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

from tests.generated import WebServer, generate, listening
from tests.raw_client import CLIENT_INFO, LEGACY, WireCheck
from tests.raw_web_client import SseClient, post

TICK = """
from news._generated.contract import resource_updated


async def tick(arguments, context):
    for number in range(arguments.model_extra.get("times", 1)):
        await resource_updated(arguments.model_extra.get("uri", "news://today"))
    return "told"
"""
URI = "news://today"


def test_a_client_that_does_not_read_holds_up_no_other(check: WireCheck, tmp_path: Path) -> None:
    tool = {"name": "tick", "description": "Tick.", "inputSchema": {"type": "object"}}
    spec = {
        "name": "news",
        "version": "1",
        "transports": ["sse"],
        "tools": [tool],
        "resources": [{"uri": URI, "name": "today", "text": "None."}],
        "resourceTemplates": [{"uriTemplate": "paper://{number}", "name": "paper"}],
        "capabilities": {"resources": {"subscribe": True}},
    }
    news = generate(spec, tmp_path / "news", handlers={"tools/tick.py": TICK})
    uri = "paper://" + "9" * 2000
    with (
        listening(news, "sse", tmp_path / "log.txt") as web,
        SseClient(web, LEGACY[-1], check) as quick,
        silent(web, uri),
    ):
        answer = quick.call("tick", times=6000, uri=uri)  # 12 MB, more than connections hold
        assert not answer["result"].get("isError")
        quick.request("resources/subscribe", {"uri": URI})
        quick.call("tick")
        assert quick.unclaimed.get(timeout=10)["params"]["uri"] == URI
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
