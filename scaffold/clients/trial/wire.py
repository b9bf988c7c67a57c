"""Messages to a server and back, over each transport, with everything that came in between."""

from __future__ import annotations

import codecs
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any, Protocol, TypeAlias

import anyio
import httpx2
from anyio.abc import Process

from scaffold.connect import web
from scaffold.connect.process import lines

Message: TypeAlias = dict[str, Any]

STRAY = 20
"""How many lines that are no messages are kept."""

LONGEST = 1000
"""How many bytes of such a line are kept."""


class ClosedError(Exception):
    """The server ended, or closed the connection; the text says when."""

    def __init__(self, when: str = "before it answered") -> None:
        super().__init__(when)


class WrongError(Exception):
    """The server answered, and not as the protocol wants it; the text ends a sentence."""


class StatusError(Exception):
    """The server answered with a status instead of a message."""

    def __init__(self, status: int, where: str = "") -> None:
        super().__init__(f"it answered {status}")
        self.status, self.where = status, where


class Wire(Protocol):
    """A connection to a server."""

    async def ask(self, message: Message, headers: Mapping[str, str]) -> Message:
        """Send a request and return its answer; `headers` are for HTTP only."""

    async def tell(self, message: Message, headers: Mapping[str, str]) -> None:
        """Send a notification."""


class Pipes:
    """The standard input and output of a process. `stray` are lines of it that are no messages."""

    def __init__(self, process: Process) -> None:
        self._process, self._lines = process, lines(process)
        self.stray: list[tuple[int, str]] = []
        self._count = 0

    async def ask(self, message: Message, headers: Mapping[str, str]) -> Message:
        """Send a request and return its answer. Raises ClosedError if there is none."""
        await self.tell(message, headers)
        async for line in self._lines:
            self._count += 1
            found = _message(line)
            if found is None:
                if line.strip() and len(self.stray) < STRAY:
                    self.stray.append(
                        (self._count, line[:LONGEST].decode(errors="replace").rstrip("\r"))
                    )
            elif "method" in found and "id" in found:
                await self.tell(_refusal(found), headers)
            elif found.get("id") == message["id"]:
                return found
        raise ClosedError

    async def tell(self, message: Message, headers: Mapping[str, str]) -> None:
        """Send a message. Raises ClosedError if nobody reads."""
        assert self._process.stdin
        try:
            await self._process.stdin.send(json.dumps(message).encode() + b"\n")
        except (OSError, anyio.BrokenResourceError):
            raise ClosedError from None


class Posts:
    """Streamable HTTP: each message is a request, and its answer is JSON or a stream of events."""

    def __init__(self, client: httpx2.AsyncClient, url: str) -> None:
        self._client, self._url = client, url
        self._session: dict[str, str] = {}

    async def ask(self, message: Message, headers: Mapping[str, str]) -> Message:
        """Send a request and return its answer. Raises StatusError or ClosedError for none.

        Raises WrongError for one that clients do not read.
        """
        async with self._post(message, headers) as response:
            kind = response.headers.get("content-type", "").partition(";")[0].strip()
            if kind == "text/event-stream":
                async with aclosing(_events(response)) as events:
                    async for _, data in events:
                        found = _message(data.encode())
                        if found is not None and found.get("id") == message["id"]:
                            return found
                raise ClosedError
            found = _message((await response.aread()).removeprefix(codecs.BOM_UTF8))
            if found is None or not (response.is_success or "error" in found):
                raise StatusError(response.status_code, kind)
            if response.is_success and kind != "application/json":
                raise WrongError(f"its answer is `{kind}`, and clients read `application/json`")
            return found

    async def tell(self, message: Message, headers: Mapping[str, str]) -> None:
        """Send a notification. Raises StatusError if it is refused."""
        async with self._post(message, headers) as response:
            if not response.is_success:
                raise StatusError(response.status_code)

    @asynccontextmanager
    async def _post(
        self, message: Message, headers: Mapping[str, str]
    ) -> AsyncGenerator[httpx2.Response]:
        accepted = {"Accept": "application/json, text/event-stream"}
        sent = {**accepted, **self._session, **headers}
        async with self._client.stream("POST", self._url, json=message, headers=sent) as response:
            if session := response.headers.get("mcp-session-id"):
                self._session = {"Mcp-Session-Id": session}
            if response.status_code in (401, 403) or response.is_redirect:
                raise StatusError(response.status_code, response.headers.get("location", ""))
            yield response


class Stream:
    """SSE: messages are posted to an address that a stream of events names, and answered there."""

    def __init__(self, client: httpx2.AsyncClient, url: str, events: AsyncIterator[Event]) -> None:
        self._client, self._address, self._events = client, url, events

    async def ask(self, message: Message, headers: Mapping[str, str]) -> Message:
        """Send a request and return its answer. Raises StatusError or ClosedError for none."""
        await self.tell(message, headers)
        async for _, data in self._events:
            found = _message(data.encode())
            if found is not None and found.get("id") == message["id"]:
                return found
        raise ClosedError

    async def tell(self, message: Message, headers: Mapping[str, str]) -> None:
        """Send a message. Raises StatusError if it is refused."""
        response = await self._client.post(self._address, json=message, headers=headers)
        if not response.is_success:
            raise StatusError(response.status_code)


@asynccontextmanager
async def posting(url: str, headers: Mapping[str, str]) -> AsyncGenerator[Posts]:
    """Yield a wire to a server over streamable HTTP; each request carries the `headers`."""
    async with web.client(headers) as client:
        yield Posts(client, url)


@asynccontextmanager
async def streaming(url: str, headers: Mapping[str, str]) -> AsyncGenerator[Stream]:
    """Yield a wire to a server over SSE. Raises StatusError or ClosedError if it offers none.

    Raises WrongError for an address elsewhere: the headers, with the token, are sent to it.
    """
    async with web.client(headers) as client:
        accepted = {"Accept": "text/event-stream"}
        async with client.stream("GET", url, headers=accepted) as response:
            kind = response.headers.get("content-type", "").partition(";")[0].strip()
            if not response.is_success or kind != "text/event-stream":
                raise StatusError(response.status_code, kind)
            async with aclosing(_events(response)) as events:
                async for name, data in events:
                    if name == "endpoint":
                        address = httpx2.URL(url).join(data)
                        if _origin(address) != _origin(httpx2.URL(url)):
                            named = address.copy_with(username=None, password=None)
                            raise WrongError(f"it names {named}, which is another server")
                        yield Stream(client, str(address), events)
                        return
            raise ClosedError


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


Event: TypeAlias = tuple[str, str]
"""The name and the data of an event."""


async def _events(response: httpx2.Response) -> AsyncGenerator[Event]:
    name, data = "message", list[str]()
    async for line in response.aiter_lines():
        field, _, value = line.partition(":")
        if not line and data:
            yield name, "\n".join(data)
            name, data = "message", []
        elif field == "event":
            name = value.strip()
        elif field == "data":
            data.append(value.removeprefix(" "))


def _message(line: bytes) -> Message | None:
    """Return the message of JSON-RPC in a line, or None if it is something else."""
    try:
        found = json.loads(line.decode())  # from bytes, it would skip a byte order mark
    except (ValueError, RecursionError):
        return None
    is_message = isinstance(found, dict) and found.get("jsonrpc") == "2.0"
    return (
        found if is_message and not found.keys().isdisjoint(("method", "result", "error")) else None
    )


def _refusal(request: Message) -> Message:
    if request["method"] == "ping":
        return {"jsonrpc": "2.0", "id": request["id"], "result": {}}
    error = {"code": -32601, "message": "Method not found"}
    return {"jsonrpc": "2.0", "id": request["id"], "error": error}
