"""Requests to an HTTP API, within limits of time and size."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache
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
from urllib.error import HTTPError
from urllib.request import (
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
    build_opener,
)

from .handlers import ToolError
from .protocol import logger

CHUNK = 65536


class ApiError(ToolError):
    """The API cannot be reached, or its response cannot be used."""


class Response(NamedTuple):
    """A whole response; `location` is the address of a redirect, or empty."""

    status: int
    body: bytes
    location: str


class NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Follow none: the API's credentials are for no other server."""


class Received(RawIOBase):
    """What a socket receives until the time of a connection is over, however slowly."""

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


class PlainHandler(HTTPHandler):
    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(Plain, req)


class EncryptedHandler(HTTPSHandler):
    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(Encrypted, req)


@cache
def opener() -> OpenerDirector:
    """Return what opens connections, through the proxies that the environment names."""
    return build_opener(NoRedirects, PlainHandler, EncryptedHandler)


def send(
    method: str,
    url: str,
    headers: Sequence[tuple[str, str]],
    body: bytes | None,
    seconds: float,
    max_bytes: int,
) -> Response:
    """Return the response to a request, whatever its status. Raises ApiError."""
    try:
        request = Request(url, body, {"Accept-Encoding": "gzip"}, method=method)
        for name, value in headers:
            request.add_header(name, value.encode().decode("latin-1"))
        if body is None and method in ("PATCH", "POST", "PUT"):
            request.add_header("Content-Length", "0")
        try:
            response = opener().open(request, timeout=seconds)
        except HTTPError as error:
            response = error
        with response:
            content = content_of(response, max_bytes)
            location = response.headers.get("Location", "")
            return Response(response.status or 0, content, location)
    except ToolError:
        raise
    except (OSError, HTTPException, ValueError, zlib.error) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            text = f"The API took longer than {seconds:g} seconds"
            raise ApiError(text) from error
        logger().warning("%s %s failed: %r", method, url.partition("?")[0], reason)
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
