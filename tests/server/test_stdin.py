"""Lines of JSON piped into a server: each answered on a line of its own, whatever else comes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from tests.conformance.memory import memory_of
from tests.generated import Generated
from tests.raw_client import CLIENT_INFO, LEGACY, Message, WireCheck

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": "first",
    "method": "initialize",
    "params": {
        "protocolVersion": LEGACY[-1],
        "capabilities": {},
        "clientInfo": CLIENT_INFO,
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
CALL = {
    "jsonrpc": "2.0",
    "id": 3,
    "method": "tools/call",
    "params": {"name": "greet", "arguments": {"name": "Ada"}},
}
PARSE_ERROR = {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}}
INVALID_REQUEST = {
    "jsonrpc": "2.0",
    "error": {"code": -32600, "message": "Invalid request"},
}

GARBAGE: dict[str, tuple[bytes, Message | None]] = {
    "no JSON": (b"hello?", PARSE_ERROR),
    "half a message": (b'{"jsonrpc": "2.0", "id": 7, "meth', PARSE_ERROR),
    "not UTF-8": (b'{"jsonrpc": "2.0", "id": 7, "method": "\xff"}', PARSE_ERROR),
    "UTF-16": ('{"jsonrpc": "2.0"}'.encode("utf-16"), PARSE_ERROR),
    "a byte order mark": (b"\xef\xbb\xbf{}", PARSE_ERROR),
    "a zero byte": (b"\x00", PARSE_ERROR),
    "a lone surrogate": (
        b'{"jsonrpc": "2.0", "id": 7, "method": "\\ud800"}',
        PARSE_ERROR,
    ),
    "a lone surrogate in arguments": (
        json.dumps(CALL).replace("Ada", "\\udc00").replace(": 3", ": 7").encode(),
        PARSE_ERROR,
    ),
    "nothing but depth": (b"[" * 100_000, PARSE_ERROR),
    "two at once": (b"{} {}", PARSE_ERROR),
    "a number": (b"7", INVALID_REQUEST),
    "null": (b"null", INVALID_REQUEST),
    "an empty object": (b"{}", INVALID_REQUEST),
    "a batch": (b"[" + json.dumps(LIST).encode() + b"]", INVALID_REQUEST),
    "no version": (b'{"id": 7, "method": "ping"}', INVALID_REQUEST),
    "another version": (
        b'{"jsonrpc": "1.0", "id": 7, "method": "ping"}',
        INVALID_REQUEST,
    ),
    "id null": (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', INVALID_REQUEST),
    "id with a fraction": (
        b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}',
        INVALID_REQUEST,
    ),
    "id that is true": (
        b'{"jsonrpc": "2.0", "id": true, "method": "ping"}',
        INVALID_REQUEST,
    ),
    "no method": (b'{"jsonrpc": "2.0", "id": 7}', INVALID_REQUEST),
    "method of a wrong type": (
        b'{"jsonrpc": "2.0", "id": 7, "method": 7}',
        INVALID_REQUEST,
    ),
    "params of a wrong type": (
        b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [1]}',
        INVALID_REQUEST,
    ),
    "nothing": (b"", None),
    "blanks": (b" \t ", None),
    "a notification nobody knows": (
        b'{"jsonrpc": "2.0", "method": "notifications/x"}',
        None,
    ),
    "an answer to no request": (b'{"jsonrpc": "2.0", "id": 99, "result": {}}', None),
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
        for fault in check(LEGACY[-1], message, methods.get(message.get("id", "")))
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
    ran = workshop.run(input=piped)
    received = {answer["id"]: answer["result"] for answer in answers(ran.stdout)}
    assert received.keys() == {"first", 2, 3}
    assert received["first"]["protocolVersion"] == LEGACY[-1]
    assert "greet" in [tool["name"] for tool in received[2]["tools"]]
    assert received[3]["content"] == [{"type": "text", "text": "Hello, Ada!"}]
    assert faults(check, answers(ran.stdout)) == []
    assert ran.returncode == 0
    assert b"Traceback" not in ran.stderr


def test_garbage_is_answered_in_its_turn_and_survived(
    workshop: Generated, check: WireCheck
) -> None:
    """Each kind, before anything else is said, and again on a connection that stands."""
    every = b"".join(line + b"\n" for line, _ in GARBAGE.values())
    ran = workshop.run(input=every + lines(INITIALIZE, INITIALIZED) + every + lines(CALL))
    received = answers(ran.stdout)
    refusals = [answer for answer in received if "id" not in answer]
    expected = [refusal for _, refusal in GARBAGE.values() if refusal]
    assert refusals == expected * 2
    results = [answer["result"] for answer in received if "id" in answer]
    assert results[-1]["content"] == [{"type": "text", "text": "Hello, Ada!"}]
    assert faults(check, received) == []
    assert ran.returncode == 0
    assert b"Traceback" not in ran.stderr


def test_nothing_at_all_is_a_good_end(workshop: Generated) -> None:
    ran = workshop.run()
    assert (ran.returncode, ran.stdout) == (0, b"")


def test_a_call_that_is_under_way_at_the_end_of_the_input_is_still_answered(
    workshop: Generated,
) -> None:
    slow = {
        **CALL,
        "params": {"name": "slow", "arguments": {"seconds": 0.2, "tag": "late"}},
    }
    ran = workshop.run(input=lines(INITIALIZE, INITIALIZED, slow))
    assert answers(ran.stdout)[-1]["result"]["content"][0]["text"] == "slow late"


def test_a_long_line_is_read_whole(workshop: Generated) -> None:
    name = "x" * 4_000_000
    call = {**CALL, "params": {"name": "greet", "arguments": {"name": name}}}
    ran = workshop.run(input=lines(INITIALIZE, INITIALIZED, call))
    assert answers(ran.stdout)[-1]["result"]["content"][0]["text"] == f"Hello, {name}!"


def test_a_client_that_reads_nothing_and_leaves_takes_the_server_with_it(
    workshop: Generated,
) -> None:
    process = workshop.spawn()
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    process.stdin.write(lines(INITIALIZE, INITIALIZED, *[LIST] * 50))
    process.stdin.close()
    log = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=10) == 0
    assert b"Traceback" not in log


def test_a_message_that_is_too_long_is_refused_and_takes_no_memory(
    workshop: Generated,
) -> None:
    with workshop.spawn("--transport", "stdio") as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(lines(INITIALIZE, INITIALIZED))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == "first"
        before = memory_of(process.pid)
        head = b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"a": "'
        process.stdin.write(head + b"x" * 300_000_000 + b'"}}\n')
        process.stdin.write(lines(CALL))
        process.stdin.flush()
        refusal, answer = (json.loads(process.stdout.readline()) for _ in range(2))
        assert memory_of(process.pid) - before < 40_000
        process.stdin.close()
    assert refusal == {
        "jsonrpc": "2.0",
        "error": {"code": -32600, "message": "The message is too long"},
    }
    assert answer["result"]["content"][0]["text"] == "Hello, Ada!"


def test_a_message_of_some_length_is_read(workshop: Generated) -> None:
    name = "x" * 4_000_000
    call = {**CALL, "params": {"name": "greet", "arguments": {"name": name}}}
    done = workshop.run("--transport", "stdio", input=lines(INITIALIZE, INITIALIZED, call))
    assert name in answers(done.stdout)[-1]["result"]["content"][0]["text"]


def test_how_long_a_message_may_be_is_a_setting(workshop: Generated) -> None:
    name = "x" * 1000
    call = {**CALL, "params": {"name": "greet", "arguments": {"name": name}}}
    long = len(lines(call))
    for size, is_read in ((long, True), (long - 1, False)):
        options = ("--transport", "stdio", "--limit-message-size", str(size))
        done = workshop.run(*options, input=lines(INITIALIZE, INITIALIZED, call))
        assert (name in str(answers(done.stdout))) == is_read
        assert (b"The message is too long" in done.stdout) != is_read
