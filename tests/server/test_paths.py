"""No variable of a URI leads a handler out of its folder, unless the spec lets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from posixpath import normpath

import pytest

from tests.raw_client import MODERN, RawClient
from tests.server.conftest import assert_served

TEMPLATES = {
    "simple": "simple:///{}",
    "reserved": "reserved:///{}",
    "fragment": "fragment://x#{}",
    "label": "label://x.{}",
    "path": "path://x/{}",
    "matrix": "matrix://x;a={}",
    "query": "query://x?a={}",
    "continued": "continued://x?b=1&a={}",
}
HOSTILE = [
    "../../etc/passwd",
    "..",
    "a/../../b",
    "/etc/passwd",
    "..\\secret",
    "\\\\host\\share",
    "C:\\Windows",
    "c:x",
    "notes.txt\0.png",
]
WAYS: dict[str, Callable[[str], str]] = {
    "as it is": lambda value: value.replace("\0", "%00"),
    "percent": lambda value: "".join(f"%{byte:02x}" for byte in value.encode()),
    "slashes": lambda value: value.replace("/", "%2f").replace("\\", "%5C").replace("\0", "%00"),
}


def read(client: RawClient, uri: str) -> str | int:
    """What the handler was given as JSON, or the code of the error."""
    answer = client.request("resources/read", {"uri": uri})
    if "error" in answer:
        assert answer["error"]["message"] == "Resource not found"
        code: int = answer["error"]["code"]
        return code
    text: str = answer["result"]["contents"][0]["text"]
    return text


def assert_inside(found: str) -> None:
    """Assert that none of the variables which a handler was given leads out of a folder."""
    values = json.loads(found).get("a", "")
    for one in values if isinstance(values, list) else [values]:
        path = one.replace("\\", "/")
        assert not path.startswith("/"), found[:300]
        assert "\0" not in path, found[:300]
        assert normpath(path).split("/")[0] != "..", found[:300]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("operator", TEMPLATES)
def test_what_leads_out_of_a_folder_is_not_found(
    both: tuple[RawClient, RawClient], operator: str, way: str
) -> None:
    client = both[0]
    for value in HOSTILE:
        uri = TEMPLATES[operator].format(WAYS[way](value))
        found = read(client, uri)
        if isinstance(found, str):
            assert_inside(found)
        else:
            assert found == (-32602 if client.version == MODERN else -32002)
    assert_served(both)


@pytest.mark.parametrize("operator", TEMPLATES)
def test_hostile_values_do_reach_templates_that_match_them(
    both: tuple[RawClient, RawClient], operator: str
) -> None:
    """What the test above refuses is refused for its value, not for its form."""
    assert "secret" in str(read(both[0], TEMPLATES[operator].format("a%2fsecret")))
    assert read(both[0], TEMPLATES[operator].format("%2e%2e%2fsecret")) in (-32602, -32002)


def test_a_template_that_says_so_gets_every_value(both: tuple[RawClient, RawClient]) -> None:
    for value in HOSTILE:
        uri = "unsafe:///" + WAYS["percent"](value)
        assert json.loads(str(read(both[0], uri))) == {"a": value}
