"""An OpenAPI document is read at any address at which a framework serves it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.sources.read import read_source

DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "Shop", "version": "1"},
    "paths": {"/a": {"get": {"operationId": "a", "responses": {"200": {"description": "Fine"}}}}},
}


class Framework(BaseHTTPRequestHandler):
    """A server that answers GET with a document, or with something else at `/page`."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps({} if self.path == "/page" else DOCUMENT).encode())

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Framework) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("path", ["/v3/api-docs", "/api-json", "/api/schema/"])
def test_a_document_is_read_at_an_address_without_a_suffix(path: str, address: str) -> None:
    assert read_source(address + path).spec["name"] == "shop"


def test_an_address_of_neither_a_server_nor_a_document_is_an_error(address: str) -> None:
    with pytest.raises(ScaffoldError, match=r"address of an MCP server|JSON"):
        read_source(f"{address}/page")
