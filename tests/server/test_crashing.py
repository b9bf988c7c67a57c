"""No handler ends the server: what it raises is masked, and all others are served."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest

from tests.generated import Generated, of_the_sdk
from tests.raw_client import LEGACY, MODERN, RawClient, StdioClient, WireCheck
from tests.server.conftest import KINDS, assert_served

MASKED = re.compile(r"Internal error, reference [0-9a-f]{8}")

PLAIN = [
    "base exception",
    "exit",
    "interrupt",
    "generator exit",
    "cancelled",
    "group",
    "nested group",
    "cancelled group",
    "object in a protocol error",
    "surrogate in a protocol error",
    "error that cannot be told",
    "error whose text is a number",
    "error whose text is the error",
    "error that cannot be told in a group",
    "error beside a failure",
    "object in a protocol error in a group",
    "groups without end",
]
TASKS = [
    "exit in an awaited task",
    "exit in gather",
    "exit in a group of asyncio",
    "exit in a group of anyio",
    "interrupt in a group of anyio",
    "exit in a thread of asyncio",
    "generator exit in an awaited task",
    "generator exit in an awaited task before more",
    "generator exit in a thread of asyncio",
    "base exception in an awaited task",
    "cancels itself",
]
FORGOTTEN = [
    "exit in a forgotten task",
    "interrupt in a forgotten task",
    "exit in a callback",
]


def masked(answer: dict[str, Any]) -> bool:
    if "error" in answer:
        assert answer["error"]["code"] == -32603
        return bool(MASKED.fullmatch(answer["error"]["message"]))
    [block] = answer["result"]["content"]
    assert answer["result"]["isError"] is True
    return bool(MASKED.fullmatch(block["text"]))


@pytest.mark.parametrize("how", [*PLAIN, *TASKS])
def test_what_a_handler_raises_is_masked(both: tuple[RawClient, RawClient], how: str) -> None:
    client = both[0]
    prompt = {"name": "crash", "arguments": {"how": how}}
    completion = {
        "ref": {"type": "ref/prompt", "name": "crash"},
        "argument": {"name": "how", "value": how},
    }
    answers = [
        client.call("crash", how=how),
        client.request("resources/read", {"uri": f"crash://{how.replace(' ', '%20')}"}),
        client.request("prompts/get", prompt),
        client.request("completion/complete", completion),
    ]
    if how in PLAIN:
        answers.append(client.call("crash_plainly", how=how))
    for answer in answers:
        assert masked(answer), answer
    assert_served(both)


@pytest.mark.parametrize("how", FORGOTTEN)
def test_a_task_that_nobody_waits_for_ends_only_itself(
    both: tuple[RawClient, RawClient], how: str
) -> None:
    answer = both[0].call("crash", how=how)
    assert answer["result"]["content"][0]["text"] == "did not fail"
    assert_served(both)
    assert "A task tried to end the server" in both[0].log


@of_the_sdk
def test_the_main_task_of_the_event_loop_may_exit(crashing: Generated) -> None:
    program = f"""
from {crashing.package}._generated.loop import run

async def main():
    raise SystemExit(3)

run(main())
"""
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=crashing.folder, env=crashing.environment, capture_output=True, timeout=20, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (3, b"")


TOLD = {
    "error in a group": "the disk is full",
    "errors in a group": "no paper\nno ink",
    "error beside a cancellation": "the disk is full",
    "error in a group of asyncio": "cannot open caf\\udce9",
    "nothing found in a group": "Resource not found",
}


@pytest.mark.parametrize("how", TOLD)
def test_errors_of_tasks_that_ran_together_are_told(
    both: tuple[RawClient, RawClient], how: str
) -> None:
    client = both[0]
    read = client.request("resources/read", {"uri": f"crash://{how.replace(' ', '%20')}"})
    got = client.request("prompts/get", {"name": "crash", "arguments": {"how": how}})
    assert [read["error"]["message"], got["error"]["message"]] == [TOLD[how]] * 2
    not_found = -32602 if client.version == MODERN else -32002
    assert read["error"]["code"] == (not_found if "nothing" in how else -32603)
    assert got["error"]["code"] == -32602
    for tool in ["crash", "crash_plainly"][: 1 if "asyncio" in how else 2]:
        result = client.call(tool, how=how)["result"]
        assert (result["isError"], result["content"][0]["text"]) == (True, TOLD[how])
    assert_served(both)


def test_a_protocol_error_passes_through_groups(both: tuple[RawClient, RawClient]) -> None:
    for tool in ("crash", "crash_plainly"):
        answer = both[0].call(tool, how="protocol error in a group")
        assert answer["error"] == {"code": -32099, "message": "not today"}
    assert_served(both)


@pytest.mark.parametrize("tool", ["crash", "crash_plainly"])
def test_a_tool_that_finds_no_resource_says_so(
    both: tuple[RawClient, RawClient], tool: str
) -> None:
    result = both[0].call(tool, how="not found")["result"]
    assert result == {**result, "isError": True}
    assert result["content"][0]["text"] == "Resource not found"
    assert_served(both)


def test_a_log_message_whose_arguments_are_wrong_fails_no_call(
    both: tuple[RawClient, RawClient],
) -> None:
    """As everywhere in Python: what `logging` cannot format, it reports itself."""
    [block] = both[0].call("crash", how="wrong arguments of a log message")["result"]["content"]
    assert block["text"] == "did not fail"
    assert_served(both)


def test_a_coroutine_behind_a_plain_decorator_is_awaited(
    both: tuple[RawClient, RawClient],
) -> None:
    [block] = both[0].call("traced")["result"]["content"]
    assert block["text"] == "Hello!"


def test_an_error_that_utf_8_cannot_hold_is_told(both: tuple[RawClient, RawClient]) -> None:
    """What a handler says of a file whose name is not UTF-8."""
    client, how = both[0], "surrogate in an error"
    completion = {
        "ref": {"type": "ref/prompt", "name": "crash"},
        "argument": {"name": "how", "value": how},
    }
    for answer in (
        client.request("resources/read", {"uri": f"crash://{how.replace(' ', '%20')}"}),
        client.request("prompts/get", {"name": "crash", "arguments": {"how": how}}),
        client.request("completion/complete", completion),
    ):
        assert answer["error"]["message"] == "cannot open caf\\udce9"
    for tool in ("crash", "crash_plainly"):
        [block] = client.call(tool, how=how)["result"]["content"]
        assert block["text"] == "cannot open caf\\udce9"
    assert_served(both)


def test_a_log_message_that_utf_8_cannot_hold_ends_nothing(
    both: tuple[RawClient, RawClient],
) -> None:
    """A name of a file that is not UTF-8, for one, reaches Python with surrogates."""
    client = both[0]
    params: dict[str, Any] = {"name": "crash", "arguments": {"how": "surrogate in a log message"}}
    if client.version == MODERN:
        level = {"io.modelcontextprotocol/logLevel": "debug"}
        message = {"jsonrpc": "2.0", "id": "log", "method": "tools/call", "params": params}
        params["_meta"] = {**client.envelope(), **level}
        future = client.start_message(message)
    else:
        future = client.start("tools/call", params)
    assert future.result(timeout=10)["result"]["content"][0]["text"] == "did not fail"
    assert client.unclaimed.get(timeout=10)["params"]["data"] == "caf?"
    assert_served(both)


def test_progress_that_utf_8_cannot_hold_ends_nothing_on_stdio(
    crashing: Generated, check: WireCheck
) -> None:
    with StdioClient(crashing, LEGACY[-1], check) as client:
        arguments = {"how": "surrogate in progress"}
        params = {"name": "crash", "arguments": arguments, "_meta": {"progressToken": 1}}
        assert client.request("tools/call", params)["result"]
        assert client.unclaimed.get(timeout=10)["params"]["message"] == "caf?"


@pytest.mark.parametrize("both", [kind for kind in KINDS if MODERN in kind], indirect=True)
@pytest.mark.parametrize("how", ["question in a group", "question beside a failure"])
def test_a_question_passes_through_groups(both: tuple[RawClient, RawClient], how: str) -> None:
    client = both[0]
    params = {"name": "crash", "arguments": {"how": how}, "_meta": client.envelope()}
    message = {"jsonrpc": "2.0", "id": how, "method": "tools/call", "params": params}
    answer = client.start_message(message).result(timeout=10)
    if how == "question in a group":  # The client cannot answer, and says so in its envelope.
        assert answer["error"]["code"] == -32021, answer
    else:
        assert answer["result"]["resultType"] == "input_required"
    assert_served(both)
