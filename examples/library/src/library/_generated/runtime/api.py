"""The HTTP API behind the tools: what is sent, and statuses as errors."""

from base64 import b64encode
from collections.abc import AsyncGenerator, Callable, Container, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote, unquote, urlsplit

from . import wire
from .answers import ApiError, warn
from .handlers import ToolError
from .http_client import HttpClient, opened

PORTS = {"http": 80, "https": 443}


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

    client: HttpClient
    base: str
    variable: str
    credentials: tuple[Credential, ...]
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
        quoting: Mapping[str, Callable[..., ToolError]] = {},
        redirect: bool = False,
        **body: Any,
    ) -> bytes:
        """Return the body of a successful response, or the address of a `redirect`.

        `credentials` are the settings to send, all without it. `body` is `json`, `data`
        (a form), `files` (its parts) or `content`. Raises the error that `errors` has
        for a status (`404`, `4XX` or `default`); or the one that `quoting` has, with the
        beginning of the API's own words as `body`; or else ApiError.
        """
        sent = {"query": {**query}, "header": {**headers}, "cookie": {**cookies}}
        if self.is_own(path):
            for place, name, value in self.authentication(credentials):
                sent[place][name] = value
        status, content, location, kind = await self.client.send(
            method,
            self.url(path) + wire.query(sent["query"]),
            wire.headers(sent["header"], sent["cookie"]),
            self.seconds,
            self.max_bytes,
            **body,
        )
        if redirect and location and status in (301, 302, 303, 307, 308):
            return location.encode()
        if 200 <= status < 300:
            return wire.utf8(content, kind)
        words = wire.utf8(content, kind).decode(errors="replace")
        for secret in self.secrets():  # Some APIs repeat what they refuse.
            words = words.replace(secret, "…")
        about, words = self.url(path).partition("?")[0], words[:500]
        warn("%s %s: status %d: %s", method, about, status, words)
        for key in (f"{status}", f"{status // 100}XX", "default"):
            if key in errors:
                raise errors[key]()
            if key in quoting:
                raise quoting[key](body=words)
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
        return path.startswith("/") or origin(path) == origin(self.base)

    def secrets(self) -> Iterator[str]:
        """Yield the credentials, in all forms that an API may repeat."""
        for value in filter(None, (each.value for each in self.credentials)):
            yield value
            yield quote(value, safe="")
            yield b64encode(value.encode()).decode()

    def authentication(
        self, settings: Container[str] | None
    ) -> Iterator[tuple[str, str, str | None]]:
        """Yield the credentials that are sent: place, name and value.

        In queries and cookies, None keeps an argument from taking the place of one.
        """
        for each in self.credentials:
            is_sent = not each.setting or settings is None or each.setting in settings
            value = each.value if is_sent else None
            if each.type == "query":
                yield "query", each.name, value
            elif each.type == "cookie":
                yield "cookie", each.name, wire.Encoded(value) if value else None
            elif value:
                if each.type == "basic":
                    value = b64encode(value.encode()).decode()
                scheme = {"bearer": "Bearer ", "basic": "Basic "}.get(each.type, "")
                yield "header", each.name, scheme + value


def origin(url: str) -> tuple[str, str | None, int | None]:
    """Return the server of a URL. Raises ApiError."""
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.hostname, parts.port or PORTS.get(parts.scheme)
    except ValueError:
        raise ApiError("The API cannot be reached") from None


@asynccontextmanager
async def reached(
    agent: str, url: str | None, variable: str, *credentials: Credential
) -> AsyncGenerator[Api]:
    """Yield the API at a URL, which `variable` has. No redirect is followed."""
    base = urlsplit(url or "")
    user, at_sign, host = base.netloc.rpartition("@")
    if at_sign:  # They are credentials too, for all requests to the API.
        credentials = (
            Credential("", unquote(user if ":" in user else f"{user}:"), "basic"),
            *credentials,
        )
    address = base._replace(netloc=host).geturl()
    headers = {"Accept": "application/json, */*;q=0.5", "User-Agent": agent}
    async with opened(headers) as client:
        yield Api(client, address, variable, credentials)
