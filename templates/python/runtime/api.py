"""The HTTP API behind the tools: requests within limits, statuses as errors."""

import asyncio
import logging
from base64 import b64encode
from collections.abc import AsyncGenerator, Callable, Container, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Literal

import httpx2

from . import wire
from .bodies import ApiError
from .handlers import ToolError

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Credential:
    """The value of a setting, which authenticates requests if it is set."""

    setting: str
    value: str | None = field(repr=False)
    type: Literal["bearer", "basic", "header", "query", "cookie"]
    name: str = "Authorization"


@dataclass(frozen=True)
class Api:
    """The API at the base address of `client`, which `variable` has."""

    client: httpx2.AsyncClient
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
        redirect: bool = False,
        **body: Any,
    ) -> bytes:
        """Return the body of a successful response, or the address of a `redirect`.

        `credentials` are the settings to send, all without it. `body` is what httpx
        takes: `json`, `data`, `files` or `content`. Raises the error that `errors` has
        for a status (`404`, `4XX` or `default`), or else ApiError.
        """
        sent = {"query": {**query}, "header": {**headers}, "cookie": {**cookies}}
        content = bytearray()
        try:
            if self.is_own(path):
                for place, name, value in self.authentication(credentials):
                    sent[place][name] = value
            async with (
                asyncio.timeout(self.seconds),
                self.client.stream(
                    method,
                    path + wire.query(sent["query"]),
                    headers=[
                        (name.encode(), value.encode())
                        for name, value in wire.headers(sent["header"], sent["cookie"])
                    ],
                    timeout=None,
                    **body,
                ) as response,
            ):
                async for chunk in response.aiter_bytes():
                    content += chunk
                    if len(content) > self.max_bytes:
                        raise ApiError("The API's response is too large")
        except TimeoutError:
            words = f"The API took longer than {self.seconds:g} seconds"
            raise ApiError(words) from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            is_set = self.client.base_url.is_absolute_url
            if isinstance(error, httpx2.UnsupportedProtocol) and not is_set:
                raise ApiError(f"{self.variable} is not set") from None
            logger.warning("%s %s failed: %r", method, path, error)
            raise ApiError("The API cannot be reached") from error
        if redirect and response.has_redirect_location:
            return response.headers["Location"].encode()
        if response.is_success:
            return bytes(content)
        status = response.status_code
        logger.warning("%s %s: status %d", method, path, status)
        for key in (f"{status}", f"{status // 100}XX", "default"):
            if key in errors:
                raise errors[key]()
        raise ApiError(f"The API answered with status {status}")

    def is_own(self, path: str) -> bool:
        """Return whether a request goes to the API: no other server gets credentials."""
        url, base = httpx2.URL(path), self.client.base_url
        origin = (base.scheme, base.host, base.port)
        return url.is_relative_url or (url.scheme, url.host, url.port) == origin

    def authentication(
        self, settings: Container[str] | None
    ) -> Iterator[tuple[str, str, str | None]]:
        """Yield the credentials that are sent: place, name and value.

        In queries and cookies, None keeps an argument from taking the place of one.
        """
        for one in self.credentials:
            is_sent = settings is None or one.setting in settings
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
) -> AsyncGenerator[Api]:
    """Yield the API at a URL, which `variable` has. No redirect is followed."""
    # At the level of information it writes whole URLs: credentials can be in them.
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    async with httpx2.AsyncClient(
        base_url=url or "",
        headers={"Accept": "application/json, */*;q=0.5", "User-Agent": agent},
        # What the API sets for one caller is no other's.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    ) as client:
        yield Api(client, variable, credentials)
