"""Requests of servers without dependencies to an API."""

from __future__ import annotations

import pytest

from tests.sources.documented_api import BASE, serving
from tests.stdlib.runtime import runtime


@pytest.mark.parametrize(
    ("path", "target"),
    [("/a/plain?b=/plain", "/a/plain?b=/plain"), ("?/plain", "/?/plain"), ("//plain", "//plain")],
)
def test_a_request_names_the_whole_path(path: str, target: str) -> None:
    with serving() as api:
        url = api.url.removesuffix(BASE) + path
        assert runtime("web").send("GET", url, [], None, 10, 1000).body == b"{}"
        assert api.seen[0].line == f"GET {target} HTTP/1.1"
