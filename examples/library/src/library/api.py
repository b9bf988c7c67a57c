"""The HTTP API behind the tools: requests within limits, statuses as errors."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Container, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx2

from library._generated import wire
from library._generated.errors import ApiError, ToolError
from library._generated.settings import Settings

logger = logging.getLogger(__name__)

SECONDS = 30.0
MAX_BYTES = 8 * 1024 * 1024

CREDENTIALS = ["library_token", "library_api_key"]


@dataclass(frozen=True)
class Api:
    """The API at the base address of `client`."""

    client: httpx2.AsyncClient
    settings: Settings

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] = {},
        headers: Mapping[str, object] = {},
        cookies: Mapping[str, object] = {},
        credentials: Container[str] = CREDENTIALS,
        errors: Mapping[str, Callable[[], ToolError]] = {},
        redirect: bool = False,
        **body: Any,
    ) -> bytes:
        """Return the body of a successful response, or the address of a `redirect`.

        `body` is what httpx takes: `json`, `data`, `files` or `content`. Raises the error
        that `errors` has for a status (`404`, `4XX` or `default`), or else ApiError.
        """
        sent = {"query": {**query}, "header": {**headers}, "cookie": {**cookies}}
        content = bytearray()
        try:
            if self.is_own(path):
                for place, name, value in authentication(self.settings, credentials):
                    sent[place][name] = value
            async with (
                asyncio.timeout(SECONDS),
                self.client.stream(
                    method,
                    path + wire.query(sent["query"]),
                    headers=wire.headers(sent["header"], sent["cookie"]),
                    timeout=None,
                    **body,
                ) as response,
            ):
                async for chunk in response.aiter_bytes():
                    content += chunk
                    if len(content) > MAX_BYTES:
                        raise ApiError("The API's response is too large")
        except TimeoutError:
            raise ApiError(f"The API took longer than {SECONDS:g} seconds") from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
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
        """Whether a request goes to the API: no other server gets its credentials."""
        url, base = httpx2.URL(path), self.client.base_url
        origin = (base.scheme, base.host, base.port)
        return url.is_relative_url or (url.scheme, url.host, url.port) == origin


def authentication(
    settings: Settings, names: Container[str]
) -> Iterator[tuple[str, str, str | None]]:
    """Yield the credentials in `names` that are set: place, name and value."""
    if settings.library_token and "library_token" in names:
        yield "header", "Authorization", f"Bearer {settings.library_token}"
    if settings.library_api_key and "library_api_key" in names:
        yield "header", "X-Station-Key", settings.library_api_key


@asynccontextmanager
async def connected(settings: Settings) -> AsyncGenerator[Api, None]:
    """Yield the API. No redirect is followed."""
    async with httpx2.AsyncClient(
        base_url=settings.library_url,
        headers={
            "Accept": "application/json, */*;q=0.5",
            "User-Agent": "library (an MCP server)",
        },
        # What the API sets for one caller is no other's.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    ) as client:
        yield Api(client, settings)
