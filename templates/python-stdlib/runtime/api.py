"""The HTTP API behind the tools: what is sent, and statuses as errors."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import (
    AsyncGenerator,
    Callable,
    Container,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal
from urllib.parse import unquote, urlencode, urlsplit

from . import web, wire
from .handlers import ToolError
from .lifespan import in_thread
from .protocol import ENCODER
from .web import ApiError

# What a quoted name cannot hold.
IN_PARTS = str.maketrans({'"': "%22", "\\": "\\\\", "\r": "%0D", "\n": "%0A"})


@dataclass(frozen=True)
class Credential:
    """The value of a setting, which authenticates requests if it is set.

    One without a setting is that of the address.
    """

    setting: str
    value: str | None = field(repr=False)
    type: Literal["bearer", "basic", "header", "query", "cookie"]
    name: str = "Authorization"


@dataclass(frozen=True)
class Api:
    """The API at the address `base`, which `variable` has."""

    base: str
    variable: str
    credentials: tuple[Credential, ...]
    headers: Mapping[str, str]
    """What each request has that does not say otherwise."""
    seconds: float = 30
    """Within which a response must be there."""
    max_bytes: int = 8 * 1024 * 1024
    """In the body of a response, after decompression."""

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] = {},
        headers: Mapping[str, object] = {},
        cookies: Mapping[str, object] = {},
        credentials: Container[str] | None = None,
        errors: Mapping[str, Callable[[], ToolError]] = {},
        redirect: bool = False,
        **body: Any,
    ) -> bytes:
        """Return the body of a successful response, or the address of a `redirect`.

        `credentials` are the settings to send, all without it. `body` is what `body_of`
        takes. Raises the error that `errors` has for a status (`404`, `4XX` or
        `default`), or else ApiError.
        """
        sent = {"query": {**query}, "header": {**headers}, "cookie": {**cookies}}
        if self.is_own(path):
            for place, name, value in self.authentication(credentials):
                sent[place][name] = value
        media_type, content = body_of(**body)
        given = wire.headers(sent["header"], sent["cookie"])
        names = {name.lower() for name, _ in given}
        more = {**self.headers, "Content-Type": media_type}
        given += [(k, v) for k, v in more.items() if v and k.lower() not in names]
        url = self.url(path) + wire.query(sent["query"])
        limits = self.seconds, self.max_bytes
        send = partial(web.send, method, url, given, content, *limits)
        response = await in_thread(send)
        status = response.status
        if redirect and response.location and status in (301, 302, 303, 307, 308):
            return response.location.encode("latin-1")
        if 200 <= status < 300:
            return response.body
        for key in (f"{status}", f"{status // 100}XX", "default"):
            if key in errors:
                raise errors[key]()
        raise ApiError(f"The API answered with status {status}")

    def url(self, path: str) -> str:
        """Return the URL of a path below the address, or of another server."""
        if not path.startswith("/"):
            return path
        if not self.base:
            raise ApiError(f"{self.variable} is not set")
        return self.base.rstrip("/") + path

    def is_own(self, path: str) -> bool:
        """Return whether a request goes to the API: no other server gets credentials."""
        own, other = urlsplit(self.url("/")), urlsplit(self.url(path))
        return (own.scheme, own.netloc) == (other.scheme, other.netloc)

    def authentication(
        self, settings: Container[str] | None
    ) -> Iterator[tuple[str, str, str | None]]:
        """Yield the credentials that are sent: place, name and value.

        In queries and cookies, None keeps an argument from taking the place of one.
        """
        for one in self.credentials:
            is_sent = not one.setting or settings is None or one.setting in settings
            value = one.value if is_sent else None
            if one.type == "query":
                yield "query", one.name, value
            elif one.type == "cookie":
                yield "cookie", one.name, wire.Encoded(value) if value else None
            elif value:
                if one.type == "basic":
                    value = b64encode(value.encode()).decode()
                scheme = {"bearer": "Bearer ", "basic": "Basic "}.get(one.type, "")
                yield "header", one.name, scheme + value


@asynccontextmanager
async def reached(
    agent: str, url: str | None, variable: str, *credentials: Credential
) -> AsyncGenerator[Api, None]:
    """Yield the API at a URL, which `variable` has. No redirect is followed."""
    headers = {"Accept": "application/json, */*;q=0.5", "User-Agent": agent}
    base = urlsplit(url or "")
    user, found, host = base.netloc.rpartition("@")
    if found:  # They are credentials too, for all requests to the API.
        credentials = (Credential("", unquote(user), "basic"), *credentials)
    base = base._replace(netloc=host)
    yield Api(base.geturl(), variable, credentials, headers)


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
