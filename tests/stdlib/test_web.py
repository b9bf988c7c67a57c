"""Requests of servers without dependencies to an API."""

from __future__ import annotations

import pytest

from tests.sources.test_api_client import serving
from tests.stdlib.runtime import runtime


@pytest.mark.parametrize(
    ("path", "target"),
    [("/a/plain?b=/plain", "/a/plain?b=/plain"), ("?/plain", "/?/plain"), ("//plain", "//plain")],
)
def test_a_request_names_the_whole_path(path: str, target: str) -> None:
    with serving() as api:
        url = api.url.removesuffix("/base") + path
        assert runtime("web").send("GET", url, [], None, 1, 1000).body == b"plain"
        assert api.last.startswith(f"GET {target} HTTP/1.1")
