"""Requests to an HTTP API, within limits of time and size."""

from __future__ import annotations

import select
import zlib
from base64 import b64encode
from collections import defaultdict
from collections.abc import Sequence
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    HTTPSConnection,
)
from io import BufferedReader, RawIOBase
from socket import socket
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from .handlers import ToolError
from .protocol import logger

CHUNK = 65536
# Seconds that a connection may idle: firewalls forget older ones without a word.
MOST_IDLE = 5


class ApiError(ToolError):
    """The API cannot be reached, or its response cannot be used."""


class Response(NamedTuple):
    """A whole response; `location` is the address of a redirect, or empty."""

    status: int
    body: bytes
    location: str


class Received(RawIOBase):
    """What a socket receives until the time of a request is over, however slowly."""

    def __init__(self, raw: Any, connection: socket) -> None:
        self.raw, self.connection = raw, connection
        self.ends_at = monotonic() + (connection.gettimeout() or 0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self.ends_at - monotonic()
        if left <= 0:
            raise TimeoutError
        self.connection.settimeout(left)
        count: int = self.raw.readinto(buffer)
        return count

    def close(self) -> None:
        self.raw.close()
        super().close()


class TimedResponse(HTTPResponse):
    def __init__(self, sock: socket, *given: Any, **named: Any) -> None:
        super().__init__(sock, *given, **named)
        self.fp = BufferedReader(Received(self.fp.detach(), sock))


class Plain(HTTPConnection):
    response_class = TimedResponse


class Encrypted(HTTPSConnection):
    response_class = TimedResponse


class Server:
    """A server of an API, with a connection that is kept open for further requests."""

    def __init__(self, url: SplitResult) -> None:
        kind = {"http": Plain, "https": Encrypted}[url.scheme]
        host, port = url.hostname or "", url.port
        self.through: dict[str, str] = {}
        """Headers of requests that a proxy reads and passes on."""
        self.idle_since = 0.0
        proxy = None if proxy_bypass(url.netloc) else getproxies().get(url.scheme)
        self.has_proxy = proxy is not None and url.scheme == "http"
        if proxy is None:
            self.connection = kind(host, port)
            return
        at = urlsplit(proxy if "//" in proxy else f"//{proxy}")
        self.connection = kind(at.hostname or "", at.port)
        if at.username:
            user = f"{unquote(at.username)}:{unquote(at.password or '')}".encode()
            self.through["Proxy-Authorization"] = f"Basic {b64encode(user).decode()}"
        if url.scheme == "https":
            self.connection.set_tunnel(host, port, self.through)
            self.through = {}

    def send(
        self,
        method: str,
        url: SplitResult,
        headers: Sequence[tuple[str, str]],
        body: bytes | None,
        seconds: float,
        max_bytes: int,
    ) -> Response:
        connection = self.connection
        connection.timeout = seconds
        if connection.sock:
            connection.sock.settimeout(seconds)
            is_old = monotonic() - self.idle_since > MOST_IDLE
            if is_old or is_left(connection.sock):
                connection.close()
        target = url._replace(path=url.path or "/").geturl()
        if not self.has_proxy:
            target = target.removeprefix(f"{url.scheme}://{url.netloc}")
        try:
            connection.putrequest(method, target, skip_accept_encoding=True)
            for name, value in [*self.through.items(), *headers]:
                connection.putheader(name, value.encode())
            connection.endheaders(body)
            with connection.getresponse() as response:
                content = content_of(response, max_bytes)
        except BaseException:
            connection.close()
            raise
        self.idle_since = monotonic()
        return Response(response.status, content, response.headers.get("Location", ""))


def is_left(connection: socket) -> bool:
    """Return whether the other side has closed a connection on which nothing is due."""
    return bool(select.select([connection], [], [], 0)[0])


# Those that no call uses, by scheme and address.
IDLE: dict[str, list[Server]] = defaultdict(list)


def send(
    method: str,
    url: str,
    headers: Sequence[tuple[str, str]],
    body: bytes | None,
    seconds: float,
    max_bytes: int,
) -> Response:
    """Return the response to a request, whatever its status. Raises ApiError."""
    given = [("Accept-Encoding", "gzip"), *headers]
    if body is not None or method in ("PATCH", "POST", "PUT"):
        given.append(("Content-Length", str(len(body or b""))))
    try:
        parts = urlsplit(url)._replace(fragment="")
        idle = IDLE[f"{parts.scheme}://{parts.netloc}"]
        try:
            server = idle.pop()
        except IndexError:
            server = Server(parts)
        response = server.send(method, parts, given, body, seconds, max_bytes)
        idle.append(server)
        return response
    except ToolError:
        raise
    except TimeoutError as error:
        raise ApiError(f"The API took longer than {seconds:g} seconds") from error
    except (OSError, HTTPException, LookupError, ValueError, zlib.error) as error:
        logger().warning("%s %s failed: %r", method, url.partition("?")[0], error)
        raise ApiError("The API cannot be reached") from error


def content_of(response: HTTPResponse, max_bytes: int) -> bytes:
    """Read the body, and decompress it as it comes."""
    is_packed = "gzip" in response.headers.get("Content-Encoding", "").lower()
    gzip, content = zlib.decompressobj(31), bytearray()
    while chunk := response.read1(CHUNK):
        room = max_bytes + 1 - len(content)
        content += gzip.decompress(chunk, room) if is_packed else chunk
        if len(content) > max_bytes:
            raise ApiError("The API's response is too large")
    if response.length:
        raise ConnectionError("the response is cut off")
    return bytes(content)
