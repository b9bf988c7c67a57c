"""Requests to an HTTP API with httpx, within limits of time and size."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx2

from .answers import ApiError, Response, warn


@dataclass(frozen=True)
class HttpClient:
    """A client, which keeps connections open."""

    client: httpx2.AsyncClient

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
        content, about = bytearray(), url.partition("?")[0]
        encoded = [(name.encode(), value.encode()) for name, value in headers]
        try:
            async with (
                asyncio.timeout(seconds),
                self.client.stream(
                    method, url, headers=encoded, timeout=None, **body
                ) as response,
            ):
                async for chunk in response.aiter_bytes():
                    content += chunk
                    if len(content) > max_bytes:
                        raise ApiError("The API's response is too large")
        except TimeoutError:
            words = f"The API took longer than {seconds:g} seconds"
            raise ApiError(words) from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            warn("%s %s failed: %r", method, about, error)
            raise ApiError("The API cannot be reached") from error
        status = response.status_code
        given = response.headers
        location, kind = given.get("Location", ""), given.get("Content-Type", "")
        return Response(status, bytes(content), location, kind)


@asynccontextmanager
async def opened(headers: Mapping[str, str]) -> AsyncGenerator[HttpClient]:
    """Yield a client that sends these headers with each request."""
    # At the level of information it writes whole URLs: credentials can be in them.
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    async with httpx2.AsyncClient(
        headers=dict(headers),
        # What the API sets for one caller is no other's.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    ) as client:
        yield HttpClient(client)
