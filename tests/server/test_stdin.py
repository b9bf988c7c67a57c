"""Lines of JSON piped into a server: each answered on a line of its own, whatever else comes."""

from __future__ import annotations

import gc
import json
import subprocess
import time
from collections.abc import Iterable
from typing import Any

import pytest

from tests.generated import Generated, of_the_sdk
from tests.measured import memory_of, seconds_of
from tests.raw_client import CLIENT_INFO, LEGACY, Message, StdioClient, WireCheck
from tests.waiting import WITHIN

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": "first",
    "method": "initialize",
    "params": {"protocolVersion": LEGACY[-1], "capabilities": {}, "clientInfo": CLIENT_INFO},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
CALL = {
    "jsonrpc": "2.0",
    "id": 3,
    "method": "tools/call",
    "params": {"name": "greet", "arguments": {"name": "Ada"}},
}


def lines(*messages: Any, end: bytes = b"\n") -> bytes:
    return b"".join(json.dumps(message).encode() + end for message in messages)


def answers(output: bytes) -> list[Message]:
    """One object a line, and nothing else."""
    assert not output or output.endswith(b"\n")
    return [json.loads(line) for line in output.splitlines()]


def faults(check: WireCheck, received: Iterable[Message]) -> list[str]:
    methods = {"first": "initialize", 2: "tools/list", 3: "tools/call"}
    return [
        fault
        for message in received
        if message.get("id") is not None
        for fault in check(LEGACY[-1], message, methods.get(message["id"], ""))
    ]


@pytest.mark.parametrize(
    "piped",
    [
        lines(INITIALIZE, INITIALIZED, LIST, CALL),
        lines(INITIALIZE, INITIALIZED, LIST, CALL, end=b"\r\n"),
        lines(INITIALIZE, INITIALIZED, LIST, CALL).rstrip(),
    ],
    ids=["lines", "lines of Windows", "no line break at the end"],
)
def test_each_line_is_answered_on_a_line_and_the_end_of_the_input_is_the_end(
    workshop: Generated, check: WireCheck, piped: bytes
) -> None:
    ran = workshop.anew().run(input=piped)
    received = {answer["id"]: answer["result"] for answer in answers(ran.stdout)}
    assert received.keys() == {"first", 2, 3}
    assert received["first"]["protocolVersion"] == LEGACY[-1]
    assert "greet" in [tool["name"] for tool in received[2]["tools"]]
    assert received[3]["content"] == [{"type": "text", "text": "Hello, Ada!"}]
    assert faults(check, answers(ran.stdout)) == []
    assert ran.returncode == 0
    assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize("number", ["NaN", "1e400", "-Infinity"])
def test_a_number_that_is_not_json_is_refused(workshop: Generated, number: str) -> None:
    params = {"name": "slow", "arguments": {"seconds": 1, "tag": ["X"]}}
    call = lines(CALL | {"params": params}).replace(b'"X"', number.encode())
    ran = workshop.run(input=lines(INITIALIZE, INITIALIZED) + call)
    last = answers(ran.stdout)[-1]
    assert "error" in last or last["result"]["isError"]


@pytest.mark.parametrize("file", [subprocess.DEVNULL, subprocess.PIPE])
def test_an_empty_input_ends_the_server_with_success(workshop: Generated, file: int) -> None:
    ran = subprocess.Popen(
        workshop.command(),
        cwd=workshop.folder,
        env=workshop.environment,
        stdin=file,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    output, _ = ran.communicate(timeout=WITHIN)
    assert (ran.returncode, output) == (0, b"")


def test_a_call_that_is_under_way_at_the_end_of_the_input_is_still_answered(
    workshop: Generated,
) -> None:
    slow = {**CALL, "params": {"name": "slow", "arguments": {"seconds": 0.2, "tag": "late"}}}
    ran = workshop.run(input=lines(INITIALIZE, INITIALIZED, slow))
    assert answers(ran.stdout)[-1]["result"]["content"][0]["text"] == "slow late"


def test_the_server_ends_if_its_client_leaves_without_reading(
    workshop: Generated,
) -> None:
    process = workshop.anew().spawn()
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    process.stdin.write(lines(INITIALIZE, INITIALIZED, *[LIST] * 50))
    process.stdin.close()
    log = process.stderr.read()
    process.stderr.close()
    assert process.wait(WITHIN) == 0
    assert b"Traceback" not in log


def test_a_message_that_is_too_long_uses_no_memory_and_does_not_block_others(
    workshop: Generated,
) -> None:
    with workshop.anew().spawn("--transport", "stdio") as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(lines(INITIALIZE, INITIALIZED))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == "first"
        before = memory_of(process.pid)
        head = b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"a": "'
        process.stdin.write(head + b"x" * 100_000_000 + b'"}}\n')
        process.stdin.write(lines(CALL))
        process.stdin.flush()
        answered = map(json.loads, process.stdout)
        answer = next(answer for answer in answered if answer["id"] == CALL["id"])
        assert memory_of(process.pid) - before < 40_000
        process.stdin.close()
    assert answer["result"]["content"][0]["text"] == "Hello, Ada!"


def test_a_large_message_costs_little_more_than_its_json(
    workshop: Generated, check: WireCheck
) -> None:
    """4 MB of nested arrays: the SDK's way to read them takes fifty times as long."""
    nested = b"[" + b",".join([b"[" * 100 + b"]" * 100] * 20_000) + b"]"
    begun = time.process_time()
    gc.disable()
    value = json.loads(nested)
    gc.enable()
    own = time.process_time() - begun
    with StdioClient(workshop, LEGACY[-1], check) as client:
        before = seconds_of(client.process.pid)
        params = {"name": "no_such_tool", "arguments": {"value": value}}
        answer = client.start("tools/call", params, valid=False).result(WITHIN)
        assert answer["error"]["code"] == -32602
        assert seconds_of(client.process.pid) - before < 20 * own


LENGTH = 1000
PIECE = json.dumps(CALL | {"id": "piece"}).encode()


@of_the_sdk
def test_no_part_of_a_message_that_is_too_long_is_parsed(workshop: Generated) -> None:
    """A call of just the length that is allowed begins where that length ends."""
    start, end = b'{"jsonrpc": "2.0", "id": "a", "method": "ping", "params": {"x": [', b"1]}}"
    line = start.ljust(LENGTH) + PIECE.ljust(LENGTH) + b"," + end + b"\n"
    ran = workshop.run(
        "--message-size", str(LENGTH), input=lines(INITIALIZE, INITIALIZED) + line + lines(CALL)
    )
    answered = {answer["id"]: answer for answer in answers(ran.stdout)}
    assert answered.keys() == {"first", 3}
    assert ran.stderr.count(b"dropped a message that is too long") == 1


@of_the_sdk
def test_a_second_request_with_the_id_of_one_that_runs_is_dropped(workshop: Generated) -> None:
    slow = {**CALL, "params": {"name": "slow", "arguments": {"seconds": 0.5, "tag": "first"}}}
    ran = workshop.run(input=lines(INITIALIZE, INITIALIZED, slow, CALL))
    _, answer = answers(ran.stdout)
    assert answer["result"]["content"][0]["text"] == "slow first"
    assert b"dropped a request with the id of another" in ran.stderr


def test_calls_that_were_cancelled_leave_room_for_others(workshop: Generated) -> None:
    """Also for more than may run at once."""
    arguments = {"seconds": 600, "tag": "cancelled"}
    calls = [
        line
        for number in range(1100)
        for line in (
            CALL | {"id": f"c{number}", "params": {"name": "slow", "arguments": arguments}},
            {
                "jsonrpc": "2.0",
                "method": "notifications/cancelled",
                "params": {"requestId": f"c{number}"},
            },
        )
    ]
    ran = workshop.run(input=lines(INITIALIZE, INITIALIZED, *calls, CALL))
    assert [answer["id"] for answer in answers(ran.stdout)] == ["first", 3]


def test_the_maximum_length_of_a_message_is_configurable(workshop: Generated) -> None:
    name = "x" * 1000
    call = {**CALL, "params": {"name": "greet", "arguments": {"name": name}}}
    long = len(lines(call))
    for size, is_read in ((long, True), (long - 2, False)):
        done = workshop.run("--message-size", str(size), input=lines(INITIALIZE, INITIALIZED, call))
        assert (name in str(answers(done.stdout))) == is_read


def test_an_option_limits_the_time_of_a_call(workshop: Generated, check: WireCheck) -> None:
    with StdioClient(workshop, LEGACY[-1], check, WORKSHOP_CALL_TIME="1") as client:
        [block] = client.call("slow", seconds=60)["result"]["content"]
    assert block["text"] == "The call took longer than 1 seconds"
