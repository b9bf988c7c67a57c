"""What reading a resource gives: the spec's own content, or what a handler returns."""

from __future__ import annotations

from base64 import b64encode

import pytest

from tests.raw_client import MODERN, Message, RawClient
from tests.server.conftest import WORKSHOP

READ: dict[str, list[Message]] = {
    "config://workshop": [
        {"uri": "config://workshop", "mimeType": "application/json", "text": '{"answer": "42"}'}
    ],
    "docs://about": [
        {
            "uri": "docs://about",
            "mimeType": "text/markdown",
            "text": (WORKSHOP / "about.md").read_text(encoding="utf-8"),
        }
    ],
    "diary://today": [
        {"uri": "diary://today", "mimeType": "text/plain", "text": "Dear diary – ☃"}  # noqa: RUF001
    ],
    "picture://front": [
        {
            "uri": "picture://front",
            "mimeType": "image/png",
            "blob": b64encode(b"\x89PNG\r\n").decode(),
        }
    ],
    "shelf://top/red%20book": [
        {"uri": "shelf://top/red%20book", "mimeType": "text/plain", "text": "red book on top"}
    ],
    "files:///a/b.txt": [
        {"uri": "files:///a/b.txt", "text": "a"},
        {"uri": "files:///a/b.txt", "text": "b.txt"},
    ],
}


@pytest.mark.parametrize("uri", READ)
def test_a_resource_is_read(client: RawClient, uri: str) -> None:
    result = client.request("resources/read", {"uri": uri})["result"]
    assert result["contents"] == READ[uri]


@pytest.mark.parametrize(
    "uri",
    [
        "config://Workshop",
        "config://workshop/",
        "shelf://top",
        "shelf://none/book",
        "shelf://top/book/page",
        "files:/a",
        "nothing at all",
    ],
)
def test_what_is_not_there_is_not_found(client: RawClient, uri: str) -> None:
    error = client.request("resources/read", {"uri": uri})["error"]
    assert error["code"] == (-32602 if client.version == MODERN else -32002)
    assert error["data"] == {"uri": uri}


def test_a_failure_that_the_handler_tells_of_is_told(client: RawClient) -> None:
    error = client.request("resources/read", {"uri": "shelf://top/lamp"})["error"]
    assert error == {"code": -32603, "message": "There is no lamp on shelf top."}
