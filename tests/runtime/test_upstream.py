"""What is read from the server behind a proxy, and what its log may say of it."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_types import JSONRPCError, JSONRPCResponse

from templates.python.runtime.process import message
from templates.python.runtime.upstream import reason


@pytest.mark.parametrize(
    "text", ["http://me:hush@host/mcp?a=1", "http://host/mcp?key=hush", "https://hush@host:1/"]
)
def test_the_log_has_no_credentials_of_a_url(text: str) -> None:
    logged = reason(ExceptionGroup("", [OSError(f"cannot reach '{text}'")]))
    assert "hush" not in logged
    assert "host" in logged
    assert logged.startswith("OSError")


@pytest.mark.parametrize("line", ["serving on 1", "[1]", '{"id": 1, "level": "info"}', "[" * 10**5])
def test_other_output_is_no_message(line: str) -> None:
    assert message(line) is None


@pytest.mark.parametrize(
    "line",
    [
        '{"id": 7, "result": {}}',
        '{"jsonrpc": "2.0", "id": 7}',
        '{"jsonrpc": "2.0", "id": 7, "result": 1}',
    ],
)
def test_an_answer_that_is_not_json_rpc_is_an_error_of_its_request(line: str) -> None:
    answer: Any = message(line)
    assert isinstance(answer.message, JSONRPCError)
    assert answer.message.id == 7


def test_an_answer_that_is_cut_ends_the_session() -> None:
    with pytest.raises(ValueError, match="not JSON"):
        message('{"jsonrpc": "2.0", "id": 7, "result"')


def test_an_answer_is_one() -> None:
    answer: Any = message('{"jsonrpc": "2.0", "id": 7, "result": {"a": null}}')
    assert answer.message == JSONRPCResponse(jsonrpc="2.0", id=7, result={"a": None})
