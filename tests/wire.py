"""What passes between the official client and a server, kept to be judged."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp import StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage

from tests.generated import Generated, WebServer
from tests.raw_client import Message, WireCheck


class Wire:
    """A transport that keeps each message that passes, with the direction that it goes."""

    def __init__(self, transport: Any) -> None:
        self.transport = transport
        self.passed: list[tuple[str, Message]] = []

    @classmethod
    def to(cls, project: Generated, web: Callable[[str], WebServer], transport: str) -> Wire:
        """The official client's transport to a server of its own, or to one that listens."""
        if transport == "stdio":
            parameters = StdioServerParameters(
                command=sys.executable,
                args=project.command("--transport", "stdio")[1:],
                env=project.environment,
            )
            return cls(stdio_client(parameters))
        if transport == "sse":
            return cls(sse_client(web("sse").url("/sse")))
        return cls(streamable_http_client(web("streamable-http").url("/mcp")))

    def note(self, direction: str, item: SessionMessage | Exception) -> None:
        assert isinstance(item, SessionMessage), item
        text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        self.passed.append((direction, json.loads(text)))

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[tuple[Any, Any]]:
        to_client, from_here = anyio.create_memory_object_stream[Any](100)
        to_here, from_client = anyio.create_memory_object_stream[Any](100)

        async def pump(direction: str, source: Any, sink: Any) -> None:
            async with source, sink:
                async for item in source:
                    self.note(direction, item)
                    await sink.send(item)

        async with self.transport as (read, write), anyio.create_task_group() as pumps:
            pumps.start_soon(pump, "received", read, to_client)
            pumps.start_soon(pump, "sent", from_client, write)
            async with from_here, to_here:
                yield from_here, to_here
            pumps.cancel_scope.cancel()

    def faults(self, check: WireCheck, version: str) -> list[str]:
        """What is wrong with the messages, each answer judged by the method that it answers."""
        methods: dict[tuple[str, Any], str] = {}
        result: list[str] = []
        for direction, message in self.passed:
            asked = "received" if direction == "sent" else "sent"
            method = None
            if "method" in message and "id" in message:
                methods[direction, message["id"]] = message["method"]
            elif "id" in message:
                method = methods.get((asked, message["id"]))
            result += check(version, message, method)
        return result
