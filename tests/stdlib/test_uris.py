"""URIs: matched as the SDK matches them, kept in their folder, and requested whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.uri_template import UriTemplate

from tests.sources.documented_api import BASE, serving
from tests.stdlib.runtime import runtime

TEXTS = st.text("ab-_.~é ", min_size=1, max_size=6)
TEMPLATES = [
    "t://{a}",
    "t://x/{a}/y/{b}",
    "t://{a}{/b}",
    "t://x/{+a}",
    "t://{a}{?b,c}",
    "t://x{?a}",
]


@given(st.sampled_from(TEMPLATES), st.lists(TEXTS, min_size=3, max_size=3))
def test_a_uri_has_the_values_that_the_sdk_finds_in_it(text: str, values: list[str]) -> None:
    template = UriTemplate.parse(text)
    uri = template.expand(dict(zip("abc", values, strict=True)))
    assert runtime("uris").UriTemplate(text).match(uri) == template.match(uri)


@pytest.mark.parametrize("uri", ["t://", "t://a/b", "u://a", "t://a?b=1", "x" * 10_000])
def test_a_uri_that_does_not_match_has_no_values(uri: str) -> None:
    assert runtime("uris").UriTemplate("t://x/{a}").match(uri) is None


def test_every_uri_is_matched_quickly() -> None:
    template = runtime("uris").UriTemplate("t://{a}/{b}/{c}/{d}/z")
    assert template.match("t://" + "a/" * 4000) is None


@pytest.mark.parametrize("value", ["../x", "a/../../x", "/etc", "C:x", "a\0", "..\\x"])
def test_a_value_that_could_leave_a_folder_is_detected(value: str) -> None:
    assert runtime("uris").leads_out({"a": value})


def test_harmless_values_are_accepted() -> None:
    assert not runtime("uris").leads_out({"a": "x/y.md", "b": "", "c": "..."})


@pytest.mark.parametrize(
    ("path", "target"),
    [("/a/plain?b=/plain", "/a/plain?b=/plain"), ("?/plain", "/?/plain"), ("//plain", "//plain")],
)
def test_a_request_names_the_whole_path(path: str, target: str) -> None:
    with serving() as api:
        url = api.url.removesuffix(BASE) + path
        assert runtime("http_client").send("GET", url, [], None, 1, 1000).body == b"{}"
        assert api.seen[-1].line == f"GET {target} HTTP/1.1"
