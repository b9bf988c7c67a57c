"""Which failure becomes what: a protocol error, or a result that tells the model.

The cases are in `failures.yaml`; `tests/runtime` has all ways in which a handler can fail.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.raw_client import MODERN, RawClient
from tests.raw_web_client import HttpClient
from tests.waiting import WITHIN, wait_until

MASKED = re.compile(r"Internal error, reference ([0-9a-f]{8})")


FAILURES: dict[str, dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("failures.yaml").read_text("utf-8")
)


TOLD = ("message", "data")


@pytest.mark.parametrize("case", FAILURES["requests"])
def test_a_request_that_cannot_be_served_is_a_protocol_error(client: RawClient, case: str) -> None:
    failure = FAILURES["requests"][case]
    future = client.start(failure["method"], failure["params"], valid=failure.get("valid", True))
    answer = future.result(WITHIN)
    modern = client.version == MODERN
    assert "result" not in answer
    code = failure["code"]
    assert answer["error"]["code"] == (code if modern else failure.get("legacy", code))
    assert answer["error"].items() >= {k: failure[k] for k in failure if k in TOLD}.items()
    if modern and isinstance(client, HttpClient):
        assert client.statuses[answer["id"]] == failure.get("status", 400)


@pytest.mark.parametrize("case", FAILURES["calls"])
def test_an_error_that_a_model_can_fix_is_a_result_with_a_hint(
    client: RawClient, case: str
) -> None:
    tool, arguments, expected = FAILURES["calls"][case]
    result = client.call(tool, **arguments)["result"]
    assert result["isError"] is True
    assert "structuredContent" not in result
    [block] = result["content"]
    assert expected in block["text"]
    assert "unwritten failed" not in client.log


@pytest.mark.parametrize("thing", ["lamp", "exception", "../x"])
def test_no_message_forges_a_line_of_the_log(client: RawClient, thing: str) -> None:
    uri = f"shelf://top\n2026-01-01 00:00:00,000 INFO root: all is well/{thing}"
    client.request("resources/read", {"uri": uri})
    client.call("fail", how="exception")  # What it logs comes later.
    wait_until(lambda: client.log.count("fail failed, "))
    assert not re.search("(?m)^2026-01-01", client.log)


def test_all_errors_in_the_arguments_are_reported_at_once(client: RawClient) -> None:
    arguments = {"name": "", "punctuation": 7, "mood": "gay"}
    [block] = client.call("greet", **arguments)["result"]["content"]
    head, *faults = block["text"].splitlines()
    assert head == "Invalid arguments:"
    assert len(faults) == 3


def assert_logged(client: RawClient, line: str) -> None:
    """The log has the line and what led to it; it takes its own way here, a little later."""
    traceback = "Traceback (most recent call last)"
    wait_until(lambda: traceback in client.log.partition(line)[2][:200], lambda: client.log)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("fail", {"how": "exception"}), ("fail", {"how": "exit"}), ("wrong", {})],
    ids=["exception", "exit", "wrong result"],
)
def test_an_error_that_no_model_can_fix_is_masked_and_logged(
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
    assert error["code"] == -32603
    assert "data" not in error
    assert_logged(client, f"reference {masked[1]}")


def test_a_handler_can_answer_with_a_protocol_error_of_its_own(client: RawClient) -> None:
    error = client.call("fail", how="protocol error")["error"]
    assert error == {"code": -32000, "message": "Not like this", "data": {"hint": "like that"}}
