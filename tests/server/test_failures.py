"""Which failure becomes what: a protocol error, or a result that tells the model."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.raw_client import MODERN, RawClient
from tests.raw_web_client import HttpClient

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, RESOURCE_NOT_FOUND = -32602, -32603, -32002
MASKED = re.compile(r"Internal error, reference ([0-9a-f]{8})")


@dataclass(frozen=True)
class Failure:
    """A request, and the code that it is refused with, before 2026-07-28 and since.

    `status` is what HTTP says of it since 2026-07-28. A request that is not `valid` breaks the
    protocol's schema on purpose.
    """

    what: str
    method: str
    params: dict[str, Any] | None
    legacy: int
    modern: int
    status: int = 400
    data: Any = None
    valid: bool = field(default=True, kw_only=True)

    def __str__(self) -> str:
        return self.what


def unknown(uri: str) -> Failure:
    data = {"uri": uri}
    codes = RESOURCE_NOT_FOUND, INVALID_PARAMS
    return Failure(f"no resource {uri}", "resources/read", {"uri": uri}, *codes, data=data)


P, M = INVALID_PARAMS, METHOD_NOT_FOUND
PROTOCOL_ERRORS = [
    Failure("unknown method", "no/such/method", {}, M, M, 404),
    Failure(
        "capability not offered", "logging/setLevel", {"level": "debug"}, M, M, 404, valid=False
    ),
    Failure(
        "completion not offered",
        "completion/complete",
        {
            "ref": {"type": "ref/prompt", "name": "review"},
            "argument": {"name": "thing", "value": ""},
        },
        M,
        M,
        404,
    ),
    Failure("unknown tool", "tools/call", {"name": "no_such_tool", "arguments": {}}, P, P),
    Failure("no tool name", "tools/call", {"arguments": {}}, P, P, valid=False),
    Failure(
        "arguments that are no object",
        "tools/call",
        {"name": "greet", "arguments": []},
        P,
        P,
        valid=False,
    ),
    Failure("cursor of a wrong type", "tools/list", {"cursor": 2}, P, P, valid=False),
    Failure("unknown prompt", "prompts/get", {"name": "no_such_prompt"}, P, P),
    Failure("missing prompt argument", "prompts/get", {"name": "summarise"}, P, P),
    Failure("no prompt name", "prompts/get", {}, P, P, valid=False),
    Failure(
        "prompt argument of a wrong type",
        "prompts/get",
        {"name": "summarise", "arguments": {"thing": 7}},
        P,
        P,
        valid=False,
    ),
    unknown("config://nothing"),
    unknown("shelf://none/lamp"),
    Failure("no resource address", "resources/read", {}, P, P, valid=False),
    Failure(
        "resource handler that fails",
        "resources/read",
        {"uri": "shelf://top/exception"},
        INTERNAL_ERROR,
        INTERNAL_ERROR,
        200,
    ),
    Failure(
        "protocol error of a handler",
        "prompts/get",
        {"name": "review", "arguments": {"thing": "protocol error"}},
        P,
        P,
    ),
]


@pytest.mark.parametrize("failure", PROTOCOL_ERRORS, ids=str)
def test_a_request_that_cannot_be_served_is_a_protocol_error(
    client: RawClient, failure: Failure
) -> None:
    future = client.start(failure.method, failure.params, valid=failure.valid)
    answer = future.result(timeout=10)
    modern = client.version == MODERN
    assert "result" not in answer
    assert answer["error"]["code"] == (failure.modern if modern else failure.legacy)
    if failure.data is not None:
        assert answer["error"]["data"] == failure.data
    if modern and isinstance(client, HttpClient):
        assert client.statuses[answer["id"]] == failure.status


TOOL_ERRORS: dict[str, tuple[str, dict[str, Any], str]] = {
    "too few characters": ("greet", {"name": ""}, "/name"),
    "argument missing": ("greet", {}, '"name" is a required property'),
    "argument too many": ("greet", {"name": "Ada", "mood": "gay"}, "mood"),
    "text for a number": ("slow", {"seconds": "1"}, "/seconds"),
    "truth for a number": ("slow", {"seconds": True}, "/seconds"),
    "null for a number": ("slow", {"seconds": None}, "/seconds"),
    "fraction for an integer": ("sum", {"numbers": [1, 1.5]}, "/numbers/1"),
    "not one of an enum": ("odd", {"kind": "even"}, "/kind"),
    "draft-07 keyword": (
        "com.example.workshop/echo.v2",
        {"class": 1},
        "two words",
    ),
    "forbidden by false": ("com.example.workshop/echo.v2", {"nothing": 1}, "/nothing"),
    "domain error": ("fail", {"how": "domain error"}, "There is no lamp on shelf 3."),
    "tool error": ("fail", {"how": "tool error"}, "The lamp is out. Try the candle."),
    "tool error in no encoding": ("fail", {"how": "surrogate tool error"}, r"The lamp is \udc80."),
    "no handler": ("unwritten", {}, "This is not written yet"),
    "timeout": ("impatient", {"seconds": 30}, "The call took longer than 0.25 seconds"),
    "timeout in a thread": (
        "impatient_blocking",
        {"seconds": 1},
        "The call took longer than 0.25 seconds",
    ),
}


@pytest.mark.parametrize("case", TOOL_ERRORS)
def test_what_a_model_can_mend_is_a_result_that_says_how(client: RawClient, case: str) -> None:
    tool, arguments, expected = TOOL_ERRORS[case]
    result = client.call(tool, **arguments)["result"]
    assert result["isError"] is True
    assert "structuredContent" not in result
    [block] = result["content"]
    assert expected in block["text"]


def test_all_faults_of_the_arguments_are_told_at_once(client: RawClient) -> None:
    arguments = {"name": "", "punctuation": 7, "mood": "gay"}
    [block] = client.call("greet", **arguments)["result"]["content"]
    head, *faults = block["text"].splitlines()
    assert head == "Invalid arguments:"
    assert len(faults) == 3


def test_a_call_that_takes_no_longer_than_it_may_is_answered(client: RawClient) -> None:
    assert client.call("impatient", seconds=0.01)["result"]["content"][0]["text"] == "in time"


def assert_logged(client: RawClient, line: str) -> None:
    """The log has the line and what led to it; it takes its own way here, a little later."""
    deadline = time.monotonic() + 5
    while line not in client.log:
        assert time.monotonic() < deadline, client.log
        time.sleep(0.01)
    assert "Traceback (most recent call last)" in client.log.partition(line)[2][:200]


EXCEPTIONS = [
    "exception",
    "group",
    "validation",
    "assertion",
    "recursion",
    "timeout",
    "stop",
    "exit",
    "cancelled",
]
MASKED_CALLS = (
    [("fail", {"how": how}) for how in EXCEPTIONS]
    + [("fail", {"how": how, "plainly": True}) for how in EXCEPTIONS]
    + [("wrong", {}), ("whole", {}), ("whole", {"weight": "a secret"})]
    + [
        ("odd", {"kind": kind})
        for kind in ["object", "nan", "bytes", "surrogate", "cycle", "structured surrogate"]
    ]
)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    MASKED_CALLS,
    ids=[" ".join(map(str, (tool, *arguments.values()))) for tool, arguments in MASKED_CALLS],
)
def test_what_no_model_can_mend_is_masked_and_logged(
    client: RawClient, tool: str, arguments: dict[str, Any]
) -> None:
    result = client.call(tool, **arguments)["result"]
    assert result["isError"] is True
    assert "structuredContent" not in result
    [block] = result["content"]
    masked = MASKED.fullmatch(block["text"])
    assert masked, block["text"]
    assert_logged(client, f"{tool} failed, reference {masked[1]}")
    assert client.call("greet", name="Ada")["result"]["content"][0]["text"] == "Hello, Ada!"


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/read", {"uri": "shelf://top/exception"}),
        ("prompts/get", {"name": "review", "arguments": {"thing": "exception"}}),
    ],
)
def test_an_exception_of_another_handler_is_masked_and_logged_too(
    client: RawClient, method: str, params: dict[str, Any]
) -> None:
    error = client.request(method, params)["error"]
    masked = MASKED.fullmatch(error["message"])
    assert masked, error
    assert error["code"] == INTERNAL_ERROR
    assert "data" not in error
    assert_logged(client, f"reference {masked[1]}")


def test_a_handler_can_answer_with_a_protocol_error_of_its_own(client: RawClient) -> None:
    error = client.call("fail", how="protocol error")["error"]
    assert error == {"code": -32000, "message": "Not like this", "data": {"hint": "like that"}}
