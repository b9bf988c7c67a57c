"""Lines of standard input into messages, or into what stands for them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from templates.python.runtime.stdio import message_in

CALL = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "greet"}}

GARBAGE: dict[str, tuple[bytes, int | None]] = {
    "no JSON": (b"hello?", -32700),
    "half a message": (b'{"jsonrpc": "2.0", "id": 7, "meth', -32700),
    "not UTF-8": (b'{"jsonrpc": "2.0", "id": 7, "method": "\xff"}', -32700),
    "a zero byte": (b"\x00", -32700),
    "nothing but depth": (b"[" * 100_000, -32700),
    "two at once": (b"{} {}", -32700),
    "a number": (b"7", -32600),
    "null": (b"null", -32600),
    "a batch": (b"[" + json.dumps(CALL).encode() + b"]", -32600),
    "no version": (b'{"id": 7, "method": "ping"}', -32600),
    "another version": (b'{"jsonrpc": "1.0", "id": 7, "method": "ping"}', -32600),
    "method of a wrong type": (b'{"jsonrpc": "2.0", "id": 7, "method": 7}', -32600),
    "params of a wrong type": (
        b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [1]}',
        -32600,
    ),
    "an empty object": (b"{}", None),
    "nothing": (b"\n", None),
    "blanks": (b" \t ", None),
}


@pytest.mark.parametrize("case", GARBAGE)
def test_what_is_no_message_is_an_error_for_nobody_in_particular_or_dropped(case: str) -> None:
    line, code = GARBAGE[case]
    message = message_in(line)
    if code is None:
        assert message is None
    else:
        assert isinstance(message, JSONRPCError)
        assert (message.id, message.error.code) == (None, code)


def test_a_message_is_itself() -> None:
    assert isinstance(message_in(json.dumps(CALL).encode()), JSONRPCRequest)
    answer = message_in(b'{"jsonrpc": "2.0", "id": 7, "result": {"action": "accept"}}')
    assert isinstance(answer, JSONRPCResponse)


@pytest.mark.parametrize("result", ["7", "null", "[]"])
def test_a_broken_answer_is_an_error_for_who_waits_for_it(result: str) -> None:
    """A call whose question it was meant for would wait for ever."""
    message = message_in(f'{{"jsonrpc": "2.0", "id": 7, "result": {result}}}'.encode())
    assert isinstance(message, JSONRPCError)
    assert message.id == 7


@pytest.mark.parametrize(
    "answer",
    [
        {"id": None, "error": {"code": -32600, "message": "Not a JSON-RPC message"}},
        {"error": {"code": -32600, "message": "Not a JSON-RPC message"}},
        {"id": None, "result": 7},
        {"id": True, "result": 7},
    ],
)
def test_an_error_for_nobody_is_not_answered(answer: dict[str, Any]) -> None:
    """Two peers that answered each other's errors would go on for ever."""
    assert message_in(json.dumps({"jsonrpc": "2.0", **answer}).encode()) is None


@given(st.binary(max_size=200) | st.text().map(str.encode))
def test_no_line_breaks_the_reader(line: bytes) -> None:
    message_in(line)
