"""The check of messages finds what is wrong with them, whatever lies beside the checkout."""

from __future__ import annotations

from typing import Any

import pytest

from tests.raw_client import LEGACY, MODERN, VERSIONS
from tests.wire_check import wire_faults

CALLED = {"content": [{"type": "text", "text": "3"}], "isError": False}
TOOL = {"name": "sum", "inputSchema": {"type": "object", "x-any": 1}, "annotations": {"x-any": 1}}
LISTED = {"tools": [TOOL]}
NEWEST = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def answer(result: Any, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "result": result, **more}


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_valid_passes(version: str) -> None:
    newest = NEWEST if version == MODERN else {}
    assert wire_faults(version, answer(LISTED | newest), "tools/list") == []
    called = CALLED | {"resultType": "complete"} if version == MODERN else CALLED
    assert wire_faults(version, answer(called), "tools/call") == []
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "No"}}
    assert wire_faults(version, error, "tools/call") == []


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("message", "method", "fault"),
    [
        (answer(CALLED, extra=1), "tools/call", "extra: not a key"),
        ({"id": 1, "result": CALLED}, "tools/call", "jsonrpc"),
        (answer({"content": [{"type": "text"}]}), "tools/call", "text: Field required"),
        (answer(CALLED | {"is_error": True}), "tools/call", "result/is_error: unknown key"),
        (answer({"structuredContent": {}}), "tools/call", "content: Field required"),
        (answer({"tools": [TOOL | {"inputschema": {}}]}), "tools/list", "inputschema: unknown key"),
        (answer({"tools": [{"name": "sum"}]}), "tools/list", "inputSchema: Field required"),
        (answer({"contents": [{"text": "a"}]}), "resources/read", "uri: Field required"),
        (
            {"jsonrpc": "2.0", "id": 1, "error": {"code": "no", "message": "No"}},
            "tools/call",
            "error/code",
        ),
        (
            {"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": 1}},
            None,
            "level",
        ),
    ],
)
def test_what_is_not_valid_is_found(
    version: str, message: dict[str, Any], method: str, fault: str
) -> None:
    if version == MODERN and isinstance(message.get("result"), dict):
        message = message | {"result": message["result"] | NEWEST}
    found = wire_faults(version, message, method)
    assert [one for one in found if fault in one], found


def test_a_method_that_the_version_lacks_is_found() -> None:
    ask = {"jsonrpc": "2.0", "id": 1, "method": "roots/list"}
    assert wire_faults(LEGACY[-1], ask, None) == []
    assert wire_faults(MODERN, ask, None) == [f"roots/list: not a method of {MODERN}"]


def test_what_has_come_with_a_version_must_be_there() -> None:
    assert wire_faults(MODERN, answer(LISTED), "tools/list")
