"""Lines of standard input into messages, or into what stands for them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import ErrorData, JSONRPCError, JSONRPCRequest, JSONRPCResponse

from templates.python.runtime.stdio import message_in

CALL = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "greet"}}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"jsonrpc": "2.0", "id": 7, "meth', -32700),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "\xff"}', -32700),
        (b"[" * 100_000, -32700),
        (b"7", -32600),
        (b"[" + json.dumps(CALL).encode() + b"]", -32600),
        (b'{"id": 7, "method": "ping"}', -32600),
    ],
    ids=["half a message", "not UTF-8", "nothing but depth", "a number", "a batch", "no version"],
)
def test_what_is_no_message_is_an_error_for_nobody_in_particular(line: bytes, code: int) -> None:
    error = message_in(line)
    assert isinstance(error, ErrorData)
    assert error.code == code


@pytest.mark.parametrize("line", [b"{}", b"\n", b" \t "])
def test_a_line_that_says_nothing_is_dropped(line: bytes) -> None:
    assert message_in(line) is None


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
