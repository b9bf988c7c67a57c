"""What servers of the pack python-stdlib do better than the SDK, and how their threads share the work."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.memory import memory_of
from tests.generated import Generated, generate, listening
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN, Message, StdioClient, WireCheck

HANDLERS = {
    "tools/add.py": """
def add(arguments, context):
    return str(arguments.model_extra["a"] + 1)
""",
    "tools/block.py": """
import time


def block(arguments, context):
    time.sleep(arguments.model_extra["seconds"])
    return "done"
""",
    "tools/block_loop.py": """
import time


async def block_loop(arguments, context):
    time.sleep(arguments.model_extra["seconds"])
    return "done"
""",
    "tools/stop_loop.py": """
import asyncio


async def stop_loop(arguments, context):
    asyncio.get_running_loop().stop()
    return "done"
""",
    "tools/ask.py": """
from dataclasses import dataclass, field
from typing import Literal


@dataclass
class Booking:
    day: str = field(metadata={"format": "date"})
    seats: int = field(default=1, metadata={"minimum": 1, "maximum": 9})
    meal: Literal["soup", "fish"] = "soup"


def ask(arguments, context):
    context.progress(1, 2)
    booking = context.wait(context.elicit("When?", Booking))
    if isinstance(booking, str):
        return booking
    return f"{booking.day}, {booking.seats}, {booking.meal}"
""",
}
SPEC: dict[str, Any] = {
    "name": "core",
    "version": "1",
    "transports": ["stdio", "streamable-http"],
    "clientCapabilities": {"elicitation": {}},
    "tools": [
        {"name": name, "description": name * 2000, "inputSchema": {"type": "object"}}
        for name in ("add", "block", "block_loop", "stop_loop", "ask")
    ],
}


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("core") / "core"
    return generate(SPEC, folder, handlers=HANDLERS, pack="python-stdlib")


class Asked(StdioClient):
    """A client that shows forms."""

    def handshake(self) -> None:
        hello = {"protocolVersion": self.version, "clientInfo": CLIENT_INFO}
        self.request("initialize", hello | {"capabilities": {"elicitation": {}}})
        self.notify("notifications/initialized")

    def envelope(self) -> Message:
        capabilities = "io.modelcontextprotocol/clientCapabilities"
        return super().envelope() | {capabilities: {"elicitation": {}}}


@pytest.fixture(params=[LEGACY[-1], MODERN])
def client(core: Generated, check: WireCheck, request: pytest.FixtureRequest) -> Iterator[Asked]:
    with Asked(core, request.param, check) as client:
        yield client
        assert client.garbage == []
        assert client.faults == []


def text_of(answer: Message) -> str:
    return str(answer["result"]["content"][0]["text"])


def test_no_answer_is_lost_between_long_ones(client: Asked) -> None:
    """A long line is written by another thread than the short ones."""
    for _ in range(50):
        lists = [client.start("tools/list") for _ in range(3)]
        calls = [client.start_call("add", a=number) for number in range(20)]
        assert all("result" in one.result(timeout=20) for one in lists)
        assert [text_of(one.result(timeout=20)) for one in calls] == [str(n + 1) for n in range(20)]


def test_a_handler_that_blocks_delays_no_other_call(client: Asked) -> None:
    for _ in range(2):  # The first time it is not known to be slow.
        slow = [client.start_call("block", seconds=2) for _ in range(20)]
        begun = time.monotonic()
        assert text_of(client.call("add", a=1)) == "2"
        assert time.monotonic() - begun < 1.5
        assert {text_of(one.result(timeout=20)) for one in slow} == {"done"}
        assert time.monotonic() - begun < 6


def test_no_answer_waits_for_handlers_that_block(client: Asked) -> None:
    """Answers to messages that arrive together are sent together only if that is soon."""
    client.call("add", a=1)
    messages: list[Message] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "send", messages.append)
        quick = client.start_call("add", a=1)
        slow = [client.start_call("block", seconds=2) for _ in range(100)]
    begun = time.monotonic()
    client.send_line(b"\n".join(json.dumps(message).encode() for message in messages))
    assert text_of(quick.result(timeout=20)) == "2"
    assert time.monotonic() - begun < 0.25
    assert {text_of(one.result(timeout=20)) for one in slow} == {"done"}


def test_a_handler_that_stops_the_event_loop_stops_no_other(client: Asked) -> None:
    for _ in range(2):
        assert text_of(client.call("stop_loop")) == "done"
        assert text_of(client.call("block_loop", seconds=0)) == "done"


def test_a_line_that_is_much_too_long_is_refused_once(core: Generated) -> None:
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    for length in (1_000, 100_000, 1_000_000):
        lines = b"x" * length + b"\n" + ping
        done = core.run("--transport", "stdio", "--limit-message-size", "1000", input=lines)
        refusal, answer = (json.loads(line) for line in done.stdout.splitlines())
        assert refusal["error"]["message"] == "The message is too long"
        assert answer["result"] == {}


def test_what_a_client_does_not_read_takes_limited_memory(core: Generated) -> None:
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}
    lists = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"tools/list"}\n' % n for n in range(4000))
    with core.spawn("--transport", "stdio") as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(hello).encode() + b"\n")
        process.stdin.flush()
        assert process.stdout.readline()
        before = memory_of(process.pid)
        writer = threading.Thread(target=process.stdin.write, args=[lists])
        writer.start()
        time.sleep(3)
        assert memory_of(process.pid) - before < 60_000
        answers = [json.loads(process.stdout.readline())["id"] for _ in range(4000)]
        assert answers == [*range(4000)]
        writer.join()
        process.stdin.close()


HELLO = {"protocolVersion": LEGACY[-1], "clientInfo": CLIENT_INFO, "capabilities": {}}


LIFESPAN = """
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Shared:
    opened: str


@asynccontextmanager
async def lifespan() -> AsyncIterator[Shared]:
    import asyncio

    await asyncio.sleep(0.01)
    yield Shared("by a task")
"""
OPENED = """
def opened(arguments, context):
    return context.shared.opened
"""


def test_a_lifespan_that_imports_asyncio_itself_gets_an_event_loop(
    check: WireCheck, tmp_path: Path
) -> None:
    spec = {"name": "late", "version": "1", "tools": [{**SPEC["tools"][0], "name": "opened"}]}
    handlers = {"tools/opened.py": OPENED, "lifespan.py": LIFESPAN}
    late = generate(spec, tmp_path / "late", handlers=handlers, pack="python-stdlib")
    with StdioClient(late, MODERN, check) as client:
        assert text_of(client.call("opened")) == "by a task"


def test_a_plain_handler_that_is_cancelled_is_not_answered(client: Asked) -> None:
    call = client.start_call("block", seconds=0.5)
    time.sleep(0.1)
    (id_,) = [key for key, (_, future) in client._pending.items() if future is call]
    client.notify("notifications/cancelled", {"requestId": id_})
    time.sleep(1)
    assert not call.done()
    assert text_of(client.call("add", a=1)) == "2"


def test_a_cancelled_question_keeps_no_thread(core: Generated, check: WireCheck) -> None:
    arguments = ["--limit-threads", "2"]
    with Asked(core, LEGACY[-1], check, *arguments) as client:
        for _ in range(3):
            call = client.start_call("ask")
            client.unclaimed.get(timeout=20)
            (id_,) = [key for key, (_, future) in client._pending.items() if future is call]
            client.notify("notifications/cancelled", {"requestId": id_})
        begun = time.monotonic()
        assert text_of(client.call("add", a=1)) == "2"
        assert time.monotonic() - begun < 2


def test_a_plain_handler_asks_with_a_dataclass_as_the_form(client: Asked) -> None:
    filled = {"action": "accept", "content": {"day": "2026-07-28", "seats": 2}}
    if client.version == MODERN:
        asked = client.call("ask")["result"]
        form = asked["inputRequests"]["Booking"]["params"]["requestedSchema"]
        state = {"requestState": asked["requestState"], "inputResponses": {"Booking": filled}}
        answer = client.request("tools/call", {"name": "ask", "arguments": {}, **state})
    else:
        call = client.start_call("ask")
        question = client.unclaimed.get(timeout=20)
        form = question["params"]["requestedSchema"]
        client.send({"jsonrpc": "2.0", "id": question["id"], "result": filled})
        answer = call.result(timeout=20)
    assert text_of(answer) == "2026-07-28, 2, soup"
    assert form == {
        "type": "object",
        "properties": {
            "day": {"title": "Day", "type": "string", "format": "date"},
            "seats": {
                "title": "Seats",
                "type": "integer",
                "minimum": 1,
                "maximum": 9,
                "default": 1,
            },
            "meal": {
                "title": "Meal",
                "type": "string",
                "enum": ["soup", "fish"],
                "default": "soup",
            },
        },
        "required": ["day"],
    }


def test_a_state_that_was_tampered_with_is_refused(core: Generated, check: WireCheck) -> None:
    with Asked(core, MODERN, check) as client:
        state = client.call("ask")["result"]["requestState"]
        for forged in (state[:-2] + "x}", "x", state.replace(".", "", 1), "é."):
            params: Message = {"name": "ask", "arguments": {}, "requestState": forged}
            error = client.request("tools/call", params)["error"]
            assert (error["code"], error["message"]) == (
                -32602,
                "Invalid or expired requestState",
            )
        other = {"name": "ask", "arguments": {"a": 1}, "requestState": state}
        assert client.request("tools/call", other)["error"]["code"] == -32602


def test_both_eras_are_served_on_one_connection(core: Generated, check: WireCheck) -> None:
    with StdioClient(core, LEGACY[-1], check) as client:
        modern: Message = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        assert "resultType" not in client.request("tools/list")["result"]
        params: Message = {"name": "add", "arguments": {"a": 1}, "_meta": modern}
        assert client.request("tools/call", params)["result"]["resultType"] == "complete"
        assert client.request("ping", {"_meta": modern})["error"]["code"] == -32601
        assert "resultType" not in client.call("add", a=1)["result"]
        unknown = {**modern, "io.modelcontextprotocol/protocolVersion": "2099-01-01"}
        error = client.request("tools/list", {"_meta": unknown})["error"]
        assert error["code"] == -32022
        assert error["data"] == {"supported": [MODERN], "requested": "2099-01-01"}


@pytest.mark.parametrize("version", LEGACY)
def test_batches_are_for_2025_03_26(core: Generated, version: str) -> None:
    def line(*messages: Message) -> bytes:
        whole = [{"jsonrpc": "2.0", **message} for message in messages]
        return json.dumps(whole if len(whole) > 1 else whole[0]).encode() + b"\n"

    hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT_INFO}
    call = {"method": "tools/call", "params": {"name": "add", "arguments": {"a": 1}}}
    ran = core.run(
        input=line({"id": 0, "method": "initialize", "params": hello})
        + line({"id": 1, **call}, {"method": "notifications/x"}, {"id": "1", "method": "ping"})
    )
    _, answer = [json.loads(one) for one in ran.stdout.splitlines()]
    if version == "2025-03-26":
        assert [one["id"] for one in answer] == [1, "1"]
    else:
        assert answer["error"]["code"] == -32600
        assert "id" not in answer


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "-Infinity"])
def test_what_is_no_number_to_others_is_a_parse_error(core: Generated, number: str) -> None:
    line = f'{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{number}}}}}\n'
    ran = core.run(input=line.encode())
    assert json.loads(ran.stdout)["error"] == {"code": -32700, "message": "Parse error"}


@pytest.mark.parametrize("params", ["[]", "0", '""', "false", "[1]", '{"_meta":[]}'])
def test_parameters_that_are_no_object_are_refused(core: Generated, params: str) -> None:
    line = f'{{"jsonrpc":"2.0","id":1,"method":"ping","params":{params}}}\n'
    ran = core.run(input=line.encode())
    assert json.loads(ran.stdout)["error"]["code"] in (-32600, -32602)


def test_a_batch_cannot_start_any_number_of_calls(core: Generated) -> None:
    hello = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": CLIENT_INFO}
    first = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}
    batch = [{"jsonrpc": "2.0", "id": number, "method": "ping"} for number in range(1, 102)]
    lines = b"".join(json.dumps(one).encode() + b"\n" for one in (first, batch, batch[1:]))
    _, refused, answered = map(json.loads, core.run(input=lines).stdout.splitlines())
    assert refused["error"] == {"code": -32600, "message": "A batch can have 100 messages"}
    assert len(answered) == 100


def test_health_is_not_told_while_a_handler_blocks_the_loop(
    core: Generated, tmp_path: Path
) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "block_loop", "arguments": {"seconds": 2}, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "block_loop",
    }
    with listening(core, "streamable-http", tmp_path / "log.txt") as server:
        caller = HTTPConnection("127.0.0.1", server.port, timeout=10)
        begun = time.monotonic()
        caller.request("POST", "/mcp", body, headers)
        time.sleep(0.5)
        assert server.request("GET", "/health")[0] == 200
        assert time.monotonic() - begun >= 2
        assert caller.getresponse().status == 200
        caller.close()
