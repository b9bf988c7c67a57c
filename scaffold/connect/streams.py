"""The SDK's streams of messages to a server: one that a command starts, or one at a URL."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO

import anyio
import httpx2
from anyio.abc import Process
from mcp.client._transport import TransportStreams
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import INTERNAL_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter

from scaffold.connect import web
from scaffold.connect.process import lines, running


class ClosedError(Exception):
    """The server closed the connection instead of answering."""


class WrongError(Exception):
    """The response violates the protocol; the text is a sentence."""


class StatusError(Exception):
    """The server answered with the HTTP status `status` instead of a message."""

    def __init__(self, status: int) -> None:
        super().__init__(f"it answered {status}")
        self.status = status


class EndedError(Exception):
    """The server ended, or closed its output; the text ends a sentence about it."""


@asynccontextmanager
async def started(
    command: Sequence[str],
    log: IO[bytes] | None,
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
    stray: Callable[[int, bytes], None] = lambda number, line: None,
) -> AsyncGenerator[TransportStreams]:
    """Start a command and yield the streams of its messages; its standard error goes to `log`.

    By default it gets the whole environment, as in the shell that it was typed in. `stray` is
    called with the number and the text of each output line that is not a message. Raises OSError if
    it cannot be started, and EndedError if it ends meanwhile.
    """
    received, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, to_send = anyio.create_memory_object_stream[SessionMessage](0)

    async def receive(process: Process) -> None:
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            async with received:
                number = 0
                async for line in lines(process):
                    number += 1
                    message = _message(line)
                    if message is None and line.strip():
                        stray(number, line)
                        message = _in_place_of(line)
                    if message:
                        await received.send(message)
                with anyio.move_on_after(1):
                    await process.wait()
                code = process.returncode
                raise EndedError(
                    "closed its output" if code is None else f"ended with exit code {code}"
                )

    async def send(process: Process) -> None:
        assert process.stdin
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            async with to_send:
                async for message in to_send:
                    text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                    await process.stdin.send(text.encode() + b"\n")

    program = shutil.which(command[0]) or command[0]
    async with (
        received,
        read,
        write,
        to_send,
        running([program, *command[1:]], log, folder, env) as process,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(receive, process)
        tasks.start_soon(send, process)
        try:
            yield read, write
        finally:
            tasks.cancel_scope.cancel()


def _message(line: bytes) -> SessionMessage | None:
    """Return the message in a line, or None for other output."""
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        return None


def _in_place_of(line: bytes) -> SessionMessage | None:
    """Return an error in place of a broken response, or None if the line is not a response.

    Raises ValueError if a response may be lost and its request is unknown.
    """
    failure = ErrorData(code=INTERNAL_ERROR, message="its answer is not JSON-RPC")
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        if b'"jsonrpc"' in line:
            raise ValueError("it sent a message that is not JSON") from None
        return None
    match message:
        case {"id": int(key), "jsonrpc": _} | {"id": int(key), "result": _}:
            return SessionMessage(JSONRPCError(jsonrpc="2.0", id=key, error=failure))
        case _:
            return None


@asynccontextmanager
async def connected(
    url: str, headers: Mapping[str, str], transport: str
) -> AsyncGenerator[TransportStreams]:
    """Yield the streams to a server over `streamable-http` or `sse`.

    Raises StatusError, WrongError, ClosedError or an error of httpx2 for what went wrong beneath
    the messages.
    """
    watched = _Watched(is_stream=transport == "sse")

    def client(*_: object, **__: object) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(headers=headers, timeout=30, transport=watched)

    try:
        if transport == "sse":
            await _check_endpoint(url, headers)
            async with sse_client(url, httpx_client_factory=client) as streams:
                yield streams
        else:
            async with client() as http, streamable_http_client(url, http_client=http) as streams:
                yield streams
    except Exception as error:
        raise watched.fault or error from error


class _Watched(web.Bounded):
    """A transport that remembers why the last request failed: the SDK's client does not."""

    def __init__(self, is_stream: bool) -> None:
        super().__init__()
        self._is_stream = is_stream
        self.fault: Exception | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request."""
        try:
            response = await super().handle_async_request(request)
        except httpx2.HTTPError as error:
            self.fault = error
            raise
        if request.method == "POST" or self._is_stream:
            self.fault = self._judged(response)
        return response

    def _judged(self, response: httpx2.Response) -> Exception | None:
        kind = response.headers.get("content-type", "").partition(";")[0].strip()
        status, is_json = response.status_code, kind == "application/json"
        if status in (401, 403, 404, 405) or (status != 200 and not is_json):
            return None if self._is_stream and response.is_success else StatusError(status)
        if not (self._is_stream or is_json or kind == "text/event-stream"):
            return WrongError(f"its answer is `{kind}`, and clients read `application/json`")
        return None


async def _check_endpoint(url: str, headers: Mapping[str, str]) -> None:
    """Check that the address is on the same server: the headers, with the token, are sent there.

    The SDK's client also refuses other servers, but then waits forever.
    """
    accepted = {**headers, "Accept": "text/event-stream"}
    async with web.client(accepted) as http, http.stream("GET", url) as response:
        kind = response.headers.get("content-type", "").partition(";")[0].strip()
        if not response.is_success or kind != "text/event-stream":
            raise StatusError(response.status_code)
        async for event in httpx2.EventSource(response):
            if event.event == "endpoint":
                address, own = httpx2.URL(url).join(event.data), httpx2.URL(url)
                if (address.scheme, address.netloc) != (own.scheme, own.netloc):
                    named = address.copy_with(username=None, password=None)
                    raise WrongError(f"it names {named}, which is another server")
                return
    raise ClosedError
