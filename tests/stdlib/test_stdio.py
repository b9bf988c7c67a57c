"""Servers of the pack python-stdlib: what clients of all kinds, and handlers, may do to them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.generated import Generated, generate
from tests.measured import memory_of
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN, Message, StdioClient, WireCheck
from tests.waiting import WITHIN, wait_until

LIFESPAN = """
import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Shared:
    pass


@asynccontextmanager
async def lifespan() -> AsyncIterator[Shared]:
    time.sleep(float(os.environ.get("OPENS_WITHIN", "0")))
    yield Shared()
    print("closed")
"""
HANDLERS = {
    "tools/big.py": """
import time


def big(arguments, context):
    time.sleep(arguments.model_extra.get("seconds", 0))
    return "x" * arguments.model_extra["size"]
""",
    "tools/add.py": """
def add(arguments, context):
    return str(arguments.model_extra["a"] + 1)
""",
    "tools/block.py": """
import os
import time


def block(arguments, context):
    time.sleep(arguments.model_extra.get("seconds", 0))
    while not os.path.exists(arguments.model_extra.get("until", "/")):
        time.sleep(0.01)
    return "done"
""",
    "tools/wait.py": """
import asyncio
import os


async def wait(arguments, context):
    await asyncio.sleep(arguments.model_extra.get("seconds", 0))
    while not os.path.exists(arguments.model_extra.get("until", "/")):
        await asyncio.sleep(0.01)
    return "done"
""",
    "tools/hold.py": """
import time
from pathlib import Path


def hold(arguments, context):
    folder = Path(arguments.model_extra["folder"])
    (folder / f"call-{context.request.number}").touch()
    while not (folder / "end").exists():
        time.sleep(0.01)
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
    context.wait(context.progress(1, 2))
    booking = context.wait(context.elicit("When?", Booking))
    if isinstance(booking, str):
        return booking
    return f"{booking.day}, {booking.seats}, {booking.meal}"
""",
    "tools/take.py": """
import signal
import threading


def take(arguments, context):
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
    return "taken"
""",
    "tools/end_child.py": """
import os
import signal
import time


def end_child(arguments, context):
    ready, told = os.pipe()
    child = os.fork()
    if not child:
        os.write(told, b".")
        time.sleep(5)
        os._exit(0)
    os.read(ready, 1)
    os.kill(child, signal.SIGTERM)
    return str(os.WTERMSIG(os.waitpid(child, 0)[1]))
""",
    "tools/leave.py": """
import sys


async def leave(arguments, context):
    sys.exit(1)
""",
    "lifespan.py": LIFESPAN,
}
TOOLS = ["big", "add", "block", "wait", "hold", "ask", "take", "end_child", "leave"]
SPEC: dict[str, Any] = {
    "name": "lines",
    "version": "1",
    "capabilities": {"logging": {}, "tools": {"listChanged": True}},
    "clientCapabilities": {"elicitation": {}},
    "tools": [
        {
            "name": name,
            "description": name * 1000,
            "inputSchema": {"type": "object"},
            **({"timeout": 3} if name == "ask" else {}),
        }
        for name in TOOLS
    ],
}
HELLO = {"protocolVersion": LEGACY[-1], "clientInfo": CLIENT_INFO, "capabilities": {}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("lines") / "lines"
    return generate(SPEC, folder, handlers=HANDLERS, pack="python-stdlib")


def line(number: int, method: str, params: object) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"


def calls(count: int, size: int) -> bytes:
    params = {"name": "big", "arguments": {"size": size}}
    return b"".join(line(number, "tools/call", params) for number in range(count))


@contextmanager
def begun(
    server: Generated, *, blocks: bool = True
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A server after the handshake, and where its answers can be read."""
    reader, writer = os.pipe()
    os.set_blocking(writer, blocks)
    command, environment = server.command("--transport", "stdio"), server.environment
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=writer, cwd=server.folder, env=environment
    ) as process:
        os.close(writer)
        send(process, line(0, "initialize", HELLO))
        os.read(reader, 65536)
        try:
            yield process, reader
        finally:
            process.kill()
            os.close(reader)


def send(process: subprocess.Popen[bytes], text: bytes) -> None:
    assert process.stdin
    process.stdin.write(text)
    process.stdin.flush()


def close(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    process.stdin.close()


@pytest.mark.parametrize("seconds", [0, 0.3])  # So that another thread reads on, or none.
def test_a_long_answer_is_written_to_its_end_if_the_client_reads_on(
    server: Generated, seconds: float
) -> None:
    with begun(server) as (process, reader):
        arguments = {"size": 500_000, "seconds": seconds}
        send(process, line(1, "tools/call", {"name": "big", "arguments": arguments}))
        close(process)
        read = b""
        while part := os.read(reader, 32768):
            read += part
            time.sleep(0.4)
        assert len(json.loads(read)["result"]["content"][0]["text"]) == 500_000


def test_no_answer_is_lost_if_writing_does_not_block(server: Generated) -> None:
    with begun(server, blocks=False) as (process, reader):
        send(process, calls(100, 5_000))
        time.sleep(0.3)
        close(process)
        read = b""
        while part := os.read(reader, 65536):
            read += part
        assert sorted(json.loads(line)["id"] for line in read.splitlines()) == [*range(100)]


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
def client(server: Generated, check: WireCheck, request: pytest.FixtureRequest) -> Iterator[Asked]:
    with Asked(server, request.param, check) as client:
        yield client
        assert client.garbage == []
        assert client.faults == []


def text_of(answer: Message) -> str:
    return str(answer["result"]["content"][0]["text"])


def number_of(client: StdioClient, call: object) -> Any:
    return next(key for key, (_, future) in client._pending.items() if future is call)


def test_no_answer_between_long_ones_is_lost(client: Asked) -> None:
    for _ in range(30):
        lists = [client.start("tools/list") for _ in range(3)]
        calls = [client.start_call("add", a=number) for number in range(20)]
        assert all("result" in call.result(WITHIN) for call in lists)
        assert [text_of(call.result(WITHIN)) for call in calls] == [str(n + 1) for n in range(20)]


@pytest.mark.parametrize("tool", ["block", "wait"])
def test_a_handler_that_takes_long_delays_no_other_call(
    client: Asked, tool: str, tmp_path: Path
) -> None:
    for end in (tmp_path / "first", tmp_path / "second"):  # Also after other threads have ended.
        slow = [client.start_call(tool, until=str(end)) for _ in range(20)]
        assert text_of(client.call("add", a=1)) == "2"
        assert not any(call.done() for call in slow)
        end.touch()
        assert {text_of(call.result(WITHIN)) for call in slow} == {"done"}


@pytest.mark.parametrize("tool", ["block", "wait"])
def test_a_call_that_is_cancelled_is_not_answered(client: Asked, tool: str, tmp_path: Path) -> None:
    end = tmp_path / "end"
    call = client.start_call(tool, until=str(end))
    client.notify("notifications/cancelled", {"requestId": number_of(client, call)})
    assert text_of(client.call("add", a=1)) == "2"  # The server has read the notification.
    end.touch()
    time.sleep(0.5)
    assert text_of(client.call("add", a=1)) == "2"
    assert not call.done()


def test_a_handler_that_exits_ends_its_call_only(client: Asked) -> None:
    assert text_of(client.call("leave")).startswith("Internal error, reference ")
    assert text_of(client.call("wait", seconds=0)) == "done"


def test_more_calls_than_threads_wait_and_too_many_are_refused(
    server: Generated, check: WireCheck, tmp_path: Path
) -> None:
    with StdioClient(server, MODERN, check, "--threads", "2") as client:
        slow = [client.start_call("block", until=str(tmp_path / "end")) for _ in range(2)]
        more = [client.start_call("add", a=1) for _ in range(1500)]
        wait_until(
            lambda: any(answer.done() for answer in more)
        )  # Some are refused, and the rest wait.
        (tmp_path / "end").touch()
        answers = [answer.result(WITHIN) for answer in more]
        refused = {answer["error"]["message"] for answer in answers if "error" in answer}
        assert refused == {"Too many calls at once: try again later"}
        assert {text_of(answer) for answer in answers if "result" in answer} == {"2"}
        assert {text_of(answer.result(WITHIN)) for answer in slow} == {"done"}
        assert text_of(client.call("add", a=1)) == "2"


def held(number: int, folder: Path) -> bytes:
    arguments = {"folder": str(folder), "text": "x" * 4_000_000}
    return line(number, "tools/call", {"name": "hold", "arguments": arguments})


def test_a_server_that_stopped_reading_ends_with_its_client(
    server: Generated, tmp_path: Path
) -> None:
    with begun(server) as (process, _):
        every = b"".join(held(number, tmp_path) for number in range(17))
        send(process, every[:-1000])
        close(process)
        assert process.wait(WITHIN) == 0


def test_listeners_are_limited_and_store_no_messages(server: Generated) -> None:
    key = "io.modelcontextprotocol/"
    meta: Message = {f"{key}protocolVersion": MODERN, f"{key}clientCapabilities": {}}
    params = {"_meta": meta, "notifications": {}}
    with begun(server) as (process, reader), os.fdopen(os.dup(reader), "rb") as answers:
        for number in range(1, 31):
            long = {**params, "other": "x" * 4_000_000}
            send(process, line(number, "subscriptions/listen", long))
            assert b"acknowledged" in answers.readline()
        assert memory_of(process.pid) < 100_000
        for number in range(31, 1025):
            send(process, line(number, "subscriptions/listen", params))
            assert b"acknowledged" in answers.readline()
        send(process, line(1025, "subscriptions/listen", params))
        refused = json.loads(answers.readline())["error"]
        assert refused == {"code": -32602, "message": "Too many subscriptions"}


def test_an_answer_is_read_even_if_the_server_is_busy(
    server: Generated, check: WireCheck, tmp_path: Path
) -> None:
    with Asked(server, LEGACY[-1], check) as client:
        call = client.start_call("ask")
        question = client.unclaimed.get(timeout=WITHIN)
        arguments = {"folder": str(tmp_path), "text": "x" * 4_000_000}
        calls = [client.start_call("hold", **arguments) for _ in range(18)]
        wait_until(lambda: any(answer.done() for answer in calls))
        filled = {"action": "decline"}
        client.send({"jsonrpc": "2.0", "id": question["id"], "result": filled})
        assert text_of(call.result(WITHIN)) == "decline"
        (tmp_path / "end").touch()
        answers = [answer.result(WITHIN) for answer in calls]
        assert {text_of(answer) for answer in answers if "result" in answer} == {"done"}
        (refused, *_) = (answer["error"]["message"] for answer in answers if "error" in answer)
        assert refused == "Too many calls at once: try again later"


def test_a_plain_handler_asks_with_a_dataclass_as_the_form(client: Asked) -> None:
    filled = {"action": "accept", "content": {"day": "2026-07-28", "seats": 2}}
    if client.version == MODERN:
        asked = client.call("ask")["result"]
        form = asked["inputRequests"]["Booking"]["params"]["requestedSchema"]
        state = {"requestState": asked["requestState"], "inputResponses": {"Booking": filled}}
        answer = client.request("tools/call", {"name": "ask", "arguments": {}, **state})
    else:
        client.request("logging/setLevel", {"level": "error"})
        call = client.start_call("ask")
        question = client.unclaimed.get(timeout=WITHIN)
        form = question["params"]["requestedSchema"]
        time.sleep(3.2)  # While the user thinks, the tool's time does not run.
        client.send({"jsonrpc": "2.0", "id": question["id"], "result": filled})
        answer = call.result(WITHIN)
    assert text_of(answer) == "2026-07-28, 2, soup"
    assert form["properties"]["seats"] == {
        "title": "Seats",
        "type": "integer",
        "minimum": 1,
        "maximum": 9,
        "default": 1,
    }
    assert form["required"] == ["day"]


WRONG: tuple[Any, ...] = ({}, {"day": "soon"}, {"day": "2026-07-28", "seats": 0}, [])


@pytest.mark.parametrize("filled", [{}, *({"content": content} for content in WRONG)])
def test_an_answer_that_does_not_fit_the_form_is_an_error(
    server: Generated, check: WireCheck, filled: Message
) -> None:
    filled = {"action": "accept", **filled}
    with Asked(server, MODERN, check) as client:
        state = {"requestState": "{}", "inputResponses": {"Booking": filled}}
        params: Message = {"name": "ask", "arguments": {}, **state}
        error = client.request("tools/call", params)["error"]
        assert (error["code"], error["message"]) == (
            -32602,
            "The answer does not fit the form: Booking",
        )


def test_both_protocol_versions_are_served_on_one_connection(
    server: Generated, check: WireCheck
) -> None:
    with StdioClient(server, LEGACY[-1], check) as client:
        key = "io.modelcontextprotocol/"
        modern: Message = {f"{key}protocolVersion": MODERN, f"{key}clientCapabilities": {}}
        assert "resultType" not in client.request("tools/list")["result"]
        params: Message = {"name": "add", "arguments": {"a": 1}, "_meta": modern}
        assert client.request("tools/call", params)["result"]["resultType"] == "complete"
        assert client.request("ping", {"_meta": modern})["error"]["code"] == -32601
        assert "resultType" not in client.call("add", a=1)["result"]
        unknown = {**modern, f"{key}protocolVersion": "2099-01-01"}
        error = client.request("tools/list", {"_meta": unknown})["error"]
        assert error["code"] == -32022
        assert error["data"] == {"supported": [MODERN], "requested": "2099-01-01"}


def test_a_line_that_is_much_too_long_is_refused_once(server: Generated) -> None:
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    for length in (2_000, 100_000, 1_000_000):
        call = b'{"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"a": "'
        lines = call + b"x" * length + b'"}}\n' + ping
        done = server.run("--transport", "stdio", "--message-size", "1000", input=lines)
        refusal, answer = (json.loads(line) for line in done.stdout.splitlines())
        assert refusal["error"]["message"] == "The message is too long"
        assert refusal["id"] == "a"  # Whoever waits for it is answered.
        assert answer["result"] == {}


@pytest.mark.parametrize("given", ["x", "0", "-1"])
def test_an_invalid_limit_is_refused(server: Generated, given: str) -> None:
    done = server.run(LINES_THREADS=given)
    assert done.returncode == 1
    assert done.stderr.decode() == f"lines: LINES_THREADS cannot be {given!r}\n"


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ('"method":"ping","params":{"a":1e999}', -32700),
        ('"method":"ping","params":{"a":NaN}', -32700),
        ('"method":"ping","params":[]', -32602),
        ('"method":"ping","params":0', -32602),
        ('"method":1', -32600),
        ('"method":"ping"', None),
    ],
)
def test_any_line_is_a_message_or_refused(server: Generated, more: str, code: int | None) -> None:
    line = f'{{"jsonrpc":"2.0","id":1,{more}}}'  # The last line of an input may have no end.
    answer = json.loads(server.run(input=line.encode()).stdout)
    assert answer["result"] == {} if code is None else answer["error"]["code"] == code


@pytest.mark.parametrize("number", ["null", "[]", "7", "true"])
def test_a_response_that_nobody_waits_for_is_not_answered(server: Generated, number: str) -> None:
    error = '"error":{"code":-32700,"message":"Parse error"}'
    line = f'{{"jsonrpc":"2.0","id":{number},{error}}}\n{{"jsonrpc":"2.0","result":{{}}}}\n'
    assert server.run(input=line.encode()).stdout == b""


def test_an_empty_input_ends_the_server_and_closes_the_lifespan(server: Generated) -> None:
    done = server.run()
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"closed\n")


@pytest.mark.parametrize("tool", ["block", "wait"])
def test_a_signal_ends_the_server_whatever_it_does(
    server: Generated, check: WireCheck, tool: str
) -> None:
    with StdioClient(server, MODERN, check) as client:
        client.call("add", a=1)
        client.start_call(tool, seconds=600)
        time.sleep(0.3)
        client.process.send_signal(signal.SIGTERM)
        assert client.process.wait(WITHIN) == 0


def test_a_signal_that_another_thread_receives_ends_the_server(
    server: Generated, check: WireCheck
) -> None:
    with StdioClient(server, MODERN, check) as client:
        client.start_call("take")
        assert client.process.wait(WITHIN) == 0


def test_a_signal_for_a_child_of_a_handler_ends_the_child_only(
    server: Generated, check: WireCheck
) -> None:
    with StdioClient(server, MODERN, check) as client:
        for _ in range(2):
            assert text_of(client.call("end_child")) == "15"


LATE = LIFESPAN.replace("import asyncio\n", "").replace(
    "    yield Shared()", "    import asyncio\n\n    await asyncio.sleep(0.01)\n    yield Shared()"
)


def test_a_function_that_imports_asyncio_is_told_to_do_so_earlier(tmp_path: Path) -> None:
    spec = SPEC | {"tools": SPEC["tools"][:1]}
    handlers = {"tools/big.py": HANDLERS["tools/big.py"], "lifespan.py": LATE}
    late = generate(spec, tmp_path / "late", handlers=handlers, pack="python-stdlib")
    ended = late.run(input=line(0, "initialize", HELLO))
    assert ended.returncode != 0
    assert b"must import asyncio at the top of a module" in ended.stderr
