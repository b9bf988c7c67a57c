"""What lists answer with: the objects of the spec, exactly as they were written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.raw_client import LEGACY, RawClient
from tests.server.conftest import SPEC, every_version

NOT_SENT = {"errors", "timeout", "examples", "text", "file", "messages"}
LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}


def as_sent(key: str, version: str) -> list[dict[str, Any]]:
    """What the spec has under a key, but for what only the generator reads."""
    entries = [
        {name: value for name, value in entry.items() if name not in NOT_SENT}
        for entry in SPEC[key]
    ]
    if version in LEGACY:
        for entry in entries:
            if entry.get("outputSchema", {}).get("type", "object") != "object":
                del entry["outputSchema"]
    return entries


@every_version
@pytest.mark.parametrize("method", LISTS)
def test_lists_match_the_spec(client: RawClient, method: str) -> None:
    key = LISTS[method]
    result = client.request(method)["result"]
    # As text, so that neither 1.0 and 1 nor true and 1 are the same.
    assert json.dumps(result[key]) == json.dumps(as_sent(key, client.version))
    assert "nextCursor" not in result


@pytest.mark.parametrize("method", LISTS)
def test_an_unknown_cursor_is_refused(client: RawClient, method: str) -> None:
    answer = client.request(method, {"cursor": "page-2"})
    assert answer["error"]["code"] == -32602
