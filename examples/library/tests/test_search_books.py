"""What the API is asked for, told by a stand-in."""

import asyncio
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import parse_qsl, urlsplit

import pytest
from mcp import Client

from library._generated.server import create_server


def test_a_search_sends_every_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Api(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"[]")

    async def search() -> None:
        years = {"from": 1900, "to": 1950}
        sought = {"q": "sea", "subjects": ["a", "b"], "published": years, "limit": 3}
        async with Client(create_server()) as client:
            assert not (await client.call_tool("search_books", sought)).is_error

    with HTTPServer(("127.0.0.1", 0), Api) as api:
        Thread(target=api.handle_request, daemon=True).start()
        monkeypatch.setenv("LIBRARY_URL", f"http://127.0.0.1:{api.server_port}")
        asyncio.run(search())
    assert dict(parse_qsl(urlsplit(asked[0]).query)) == {
        "q": "sea",
        "subjects": "a,b",
        "published[from]": "1900",
        "published[to]": "1950",
        "limit": "3",
    }
