"""Requests to an HTTP API, within limits of time and size."""

from __future__ import annotations

import os
import zlib
from base64 import b64encode
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from socket import SHUT_RDWR, socket
from threading import Timer
from time import monotonic
from typing import Any
from urllib.parse import SplitResult, unquote, urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass

from . import wire
from .answers import ApiError, Response, warn
from .lifespan import in_thread
from .protocol import ENCODER

CHUNK = 65536
# What a quoted name cannot hold.
IN_PARTS = str.maketrans({'"': "%22", "\\": "\\\\", "\r": "%0D", "\n": "%0A"})


@dataclass(frozen=True)
class HttpClient:
    """A client; each request has a connection of its own."""

    headers: Mapping[str, str]
    """What each request has that does not say otherwise."""

    async def send(
        self,
        method: str,
        url: str,
        headers: Sequence[tuple[str, str]],
        seconds: float,
        max_bytes: int,
        **body: Any,
    ) -> Response:
        """Return the response to a request, whatever its status. Raises ApiError."""
        media_type, content = body_of(**body)
        more = {**self.headers, "Content-Type": media_type}
        names = {name.lower() for name, _ in headers}
        left = [(k, v) for k, v in more.items() if v and k.lower() not in names]
        given, limits = [*headers, *left], (seconds, max_bytes)
        return await in_thread(partial(send, method, url, given, content, *limits))


@asynccontextmanager
async def opened(headers: Mapping[str, str]) -> AsyncGenerator[HttpClient, None]:
    """Yield a client that sends these headers with each request."""
    yield HttpClient(headers)


def send(
    method: str,
    url: str,
    headers: Sequence[tuple[str, str]],
    body: bytes | None,
    seconds: float,
    max_bytes: int,
) -> Response:
    """Return the response to a request, whatever its status. Raises ApiError."""
    given = [("Accept-Encoding", "gzip"), ("Connection", "close"), *headers]
    if body is not None or method in ("PATCH", "POST", "PUT"):
        given.append(("Content-Length", str(len(body or b""))))
    ends_at = monotonic() + seconds
    try:
        connection, target, for_proxy = connected(urlsplit(url)._replace(fragment=""))
        connection.timeout = seconds
        with closing(connection):
            connection.connect()
            # Each part of a response may come in time, and all of it too late.
            late = Timer(ends_at - monotonic(), cut, [connection.sock])
            late.daemon = True
            late.start()
            try:
                connection.putrequest(method, target, skip_accept_encoding=True)
                for name, value in [*for_proxy, *given]:
                    connection.putheader(name, value.encode())
                connection.endheaders(body)
                with connection.getresponse() as response:
                    content = content_of(response, max_bytes)
            finally:
                late.cancel()
        if monotonic() > ends_at:
            raise TimeoutError
        location = response.getheader("Location", "")
        kind = response.getheader("Content-Type", "")
        return Response(response.status, content, location, kind)
    except ApiError:
        raise
    except (OSError, HTTPException, LookupError, ValueError, zlib.error) as error:
        if monotonic() > ends_at:
            text = f"The API took longer than {seconds:g} seconds"
            raise ApiError(text) from error
        warn("%s %s failed: %r", method, url.partition("?")[0], error)
        raise ApiError("The API cannot be reached") from error


def connected(url: SplitResult) -> tuple[HTTPConnection, str, list[tuple[str, str]]]:
    """Return what leads to the server of a URL, how it is named there, and more headers.

    It is the proxy that the environment has for the URL, if there is one.
    """
    kind = {"http": HTTPConnection, "https": HTTPSConnection}[url.scheme]
    host, port = url.hostname or "", url.port
    whole = url._replace(path=url.path or "/").geturl()
    target = whole.removeprefix(f"{url.scheme}://{url.netloc}")
    proxy = None if proxy_bypass(url.netloc) else getproxies().get(url.scheme)
    if proxy is None:
        return kind(host, port), target, []
    at = urlsplit(proxy if "//" in proxy else f"//{proxy}")
    connection, headers = kind(at.hostname or "", at.port), []
    if at.username:
        user = f"{unquote(at.username)}:{unquote(at.password or '')}".encode()
        headers = [("Proxy-Authorization", f"Basic {b64encode(user).decode()}")]
    if url.scheme == "http":
        return connection, whole, headers
    connection.set_tunnel(host, port, dict(headers))
    return connection, target, []


def cut(connection: socket) -> None:
    with suppress(OSError):  # It has just been closed.
        connection.shutdown(SHUT_RDWR)


def content_of(response: HTTPResponse, max_bytes: int) -> bytes:
    """Read the body, and decompress it as it comes."""
    is_packed = "gzip" in (response.getheader("Content-Encoding") or "").lower()
    gzip, content = zlib.decompressobj(31), bytearray()
    while chunk := response.read1(CHUNK):
        room = max_bytes + 1 - len(content)
        content += gzip.decompress(chunk, room) if is_packed else chunk
        if len(content) > max_bytes:
            raise ApiError("The API's response is too large")
    if response.length:
        raise ConnectionError("the response is cut off")
    return bytes(content)


def body_of(
    *,
    json: Any = None,
    content: str | bytes | None = None,
    data: Mapping[str, list[str]] = {},
    files: Sequence[tuple[str, wire.Part]] = (),
) -> tuple[str, bytes | None]:
    """The media type, if it is not told elsewhere, and the bytes of a body."""
    if data:
        form_text = urlencode(data, doseq=True)
        return "application/x-www-form-urlencoded", form_text.encode()
    if files:
        boundary = os.urandom(16).hex()
        return f"multipart/form-data; boundary={boundary}", multipart(files, boundary)
    if json is not None:
        return wire.JSON, ENCODER.encode(wire.plain(json)).encode()
    return "", content.encode() if isinstance(content, str) else content


def multipart(parts: Sequence[tuple[str, wire.Part]], boundary: str) -> bytes:
    """The parts of a form in one body (RFC 7578)."""
    lines: list[bytes] = []
    for name, (filename, data, kind) in parts:
        head = f'Content-Disposition: form-data; name="{name.translate(IN_PARTS)}"'
        if filename is not None:
            head += f'; filename="{filename.translate(IN_PARTS)}"'
            kind = kind or "application/octet-stream"
        if kind is not None:
            head += f"\r\nContent-Type: {kind}"
        lines += [f"--{boundary}".encode(), head.encode(), b"", data]
    return b"\r\n".join([*lines, f"--{boundary}--".encode(), b""])
