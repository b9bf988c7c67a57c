"""An HTTP client with a limit on what servers send."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

import httpx2

MAX_RESPONSE_BYTES = 64 * 2**20
"""The maximum bytes of all responses together."""


class TooLargeError(httpx2.TransportError):
    """The responses were larger than `MAX_RESPONSE_BYTES`."""


class Bounded(httpx2.AsyncHTTPTransport):
    """A transport that stops when all responses together are larger than `MAX_RESPONSE_BYTES`."""

    def __init__(self) -> None:
        super().__init__()
        self._left = MAX_RESPONSE_BYTES

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request, and count the bytes of the response as they are read."""
        response = await super().handle_async_request(request)
        stream = response.stream
        assert isinstance(stream, httpx2.AsyncByteStream)
        response.stream = _Counted(stream, self)
        return response

    def count(self, chunk: bytes) -> None:
        """Raise TooLargeError if the chunk exceeds the limit."""
        self._left -= len(chunk)
        if self._left < 0:
            raise TooLargeError(f"it sent more than {MAX_RESPONSE_BYTES // 2**20} MB")


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, transport: Bounded) -> None:
        self._stream, self._transport = stream, transport

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._transport.count(chunk)
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


def client(headers: Mapping[str, str]) -> httpx2.AsyncClient:
    """Return a client with these headers that follows no redirects."""
    return httpx2.AsyncClient(
        headers=headers, timeout=30, transport=Bounded(), follow_redirects=False
    )
