"""Lines of standard input into messages, or into nothing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import JSONRPCRequest, JSONRPCResponse

from templates.python.runtime.stdio import message_in

CALL = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "greet"}}


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc": "2.0", "id": 7, "meth',
        b'{"jsonrpc": "2.0", "id": 7, "method": "\xff"}',
        b"[" * 100_000,
        b"7",
        b"[" + json.dumps(CALL).encode() + b"]",
        b'{"id": 7, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": true, "result": 7}',
    ],
    ids=["half", "not UTF-8", "depth", "a number", "a batch", "no version", "an answer"],
)
def test_invalid_messages_are_dropped_and_logged(
    line: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    assert message_in(line) is None
    [record] = caplog.records
    assert record.message == f"dropped a line that is no message: {line[:200]!r}"


@pytest.mark.parametrize("line", [b"\n", b" \t "])
def test_an_empty_line_is_dropped(line: bytes, caplog: pytest.LogCaptureFixture) -> None:
    assert message_in(line) is None
    assert caplog.records == []


def test_a_valid_message_is_parsed() -> None:
    assert isinstance(message_in(json.dumps(CALL).encode()), JSONRPCRequest)
    answer = message_in(b'{"jsonrpc": "2.0", "id": 7, "result": {"action": "accept"}}')
    assert isinstance(answer, JSONRPCResponse)


@given(st.binary(max_size=200) | st.text().map(str.encode))
def test_the_reader_survives_any_line(line: bytes) -> None:
    message_in(line)
