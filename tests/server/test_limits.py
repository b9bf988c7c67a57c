"""Clients that take all they can get: each stays within limits, and the others are served."""

from __future__ import annotations

import json
import re
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from tests.generated import Generated, WebServer, generate, listening
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN, WireCheck
from tests.raw_web_client import Answer, HttpClient, post

HEAD = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
HELLO = {"protocolVersion": LEGACY[-1], "capabilities": {}, "clientInfo": CLIENT_INFO}
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
SHORT = {"WORKSHOP_LIMIT_HEAD_TIME": "1", "WORKSHOP_LIMIT_BODY_TIME": "1"}


@contextmanager
def sockets(server: WebServer, count: int, first: bytes) -> Iterator[list[socket.socket]]:
    """Connections that have sent something, until the block ends."""
    with ExitStack() as stack:
        opened = []
        for _ in range(count):
            line = socket.create_connection(("127.0.0.1", server.port), timeout=20)
            opened.append(stack.enter_context(line))
            with suppress(OSError):
                line.sendall(first)
        yield opened


def read_all(line: socket.socket) -> bytes:
    received = b""
    with suppress(ConnectionResetError):
        while part := line.recv(65536):
            received += part
    return received


def assert_another_is_served(server: WebServer, check: WireCheck) -> None:
    with HttpClient(server, MODERN, check) as client:
        assert client.call("greet", name="Ada")["result"]["content"][0]["text"] == "Hello, Ada!"
    status, _, body = server.request("GET", "/health")
    assert (status, json.loads(body)) == (200, {"status": "ok"})


@pytest.mark.parametrize("first", [b"", HEAD, HEAD + b"\r\n{"], ids=["nothing", "head", "body"])
def test_who_sends_no_more_is_hung_up_on(
    workshop: Generated, check: WireCheck, tmp_path: Path, first: bytes
) -> None:
    log = tmp_path / "log.txt"
    with (
        listening(workshop, "streamable-http", log, **SHORT) as server,
        sockets(server, 5, first) as lines,
    ):
        for line in lines:
            assert read_all(line).startswith(b"HTTP/1.1 408 ")
        assert_another_is_served(server, check)
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("part", ["head", "body"])
def test_who_sends_byte_by_byte_is_hung_up_on(
    workshop: Generated, check: WireCheck, tmp_path: Path, part: str
) -> None:
    head = HEAD.replace(b"100", b"10000")
    first = head + (b"X-Slow: " if part == "head" else b"\r\n")
    with (
        listening(workshop, "streamable-http", tmp_path / "log.txt", **SHORT) as server,
        sockets(server, 1, first) as [line],
    ):
        deadline = time.monotonic() + 15
        with suppress(OSError):
            while time.monotonic() < deadline:
                line.sendall(b"x")
                time.sleep(0.1)
            pytest.fail("nobody hung up")
        assert_another_is_served(server, check)


def test_a_flood_of_connections_leaves_room_for_others_and_one_line_of_log(
    workshop: Generated, check: WireCheck, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    options = ("--limit-connections", "20", "--log-level", "warning")
    with (
        listening(workshop, "streamable-http", log, *options) as server,
        sockets(server, 200, HEAD),
    ):
        assert_another_is_served(server, check)
    assert log.read_text().count("WARNING") == 1
    assert "20 connections are open, the most" in log.read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="prlimit is there on Linux only")
def test_without_file_descriptors_the_log_stays_short_and_the_processor_idle(
    workshop: Generated, check: WireCheck, tmp_path: Path
) -> None:
    import resource

    log = tmp_path / "log.txt"
    with listening(workshop, "streamable-http", log, "--log-level", "warning") as server:
        pid = server.process.pid
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (30, 30))
        with sockets(server, 100, b""):
            before = processor_time(pid)
            time.sleep(3)
            assert processor_time(pid) - before < 1.5
        assert log.stat().st_size < 4096, log.read_text()[:4096]
        assert log.read_text().count("no file descriptor is left") == 1
        assert_another_is_served(server, check)


@pytest.mark.skipif(sys.platform != "linux", reason="what waits to be accepted differs elsewhere")
def test_health_answers_in_a_flood_of_more_than_there_are_file_descriptors(
    workshop: Generated, check: WireCheck, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    with ExitStack() as stack:
        with file_descriptors(256):
            started = listening(workshop, "streamable-http", log, "--log-level", "warning")
            server = stack.enter_context(started)
        stack.enter_context(file_descriptors(4096))
        for _ in range(3000):
            line = stack.enter_context(socket.socket())
            line.setblocking(False)
            line.connect_ex(("127.0.0.1", server.port))
        for _ in range(5):
            begun = time.monotonic()
            assert server.request("GET", "/health")[0] == 200
            assert time.monotonic() - begun < 5  # On an idle machine less than one.
        assert_another_is_served(server, check)
    assert "no file descriptor is left" not in log.read_text()


@contextmanager
def file_descriptors(count: int) -> Iterator[None]:
    """Allow so many to this process and to those that it starts, until the block ends."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if count > hard >= 0:
        pytest.skip(f"needs {count} file descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def processor_time(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def open_session(server: WebServer, client: str) -> str:
    answer = post(server.port, "/mcp", json.dumps(INITIALIZE).encode(), {"X-Forwarded-For": client})
    assert answer.status == 200
    return answer.headers["Mcp-Session-Id"]


def ping(server: WebServer, session: str) -> Answer:
    body = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "ping"}).encode()
    return post(server.port, "/mcp", body, {"Mcp-Session-Id": session})


def test_who_leaves_sessions_open_locks_nobody_out(workshop: Generated, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    with listening(workshop, "streamable-http", log, WORKSHOP_LIMIT_SESSIONS="10") as server:
        mine = open_session(server, "10.0.0.1")
        theirs = [open_session(server, "10.0.0.2") for _ in range(40)]
        mine_too = open_session(server, "10.0.0.1")
        assert ping(server, mine).status == 200
        assert ping(server, mine_too).status == 200
        statuses = [ping(server, session).status for session in theirs]
    assert statuses == [404] * 32 + [200] * 8
    assert "Traceback" not in log.read_text()


def test_the_session_that_goes_is_the_one_that_was_not_used_for_longest(
    workshop: Generated, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    with listening(workshop, "streamable-http", log, WORKSHOP_LIMIT_SESSIONS="3") as server:
        first, second, third = (open_session(server, "10.0.0.1") for _ in range(3))
        assert ping(server, first).status == 200
        fourth = open_session(server, "10.0.0.1")
        assert ping(server, second).status == 404
        for session in (first, third, fourth):
            assert ping(server, session).status == 200


def test_a_session_in_use_is_never_the_one_that_goes(
    workshop: Generated, check: WireCheck, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    with (
        listening(workshop, "streamable-http", log, WORKSHOP_LIMIT_SESSIONS="1") as server,
        HttpClient(server, LEGACY[-1], check) as client,
    ):
        calls = [client.start_call("slow", seconds=3, tag=n) for n in range(2)]
        time.sleep(0.5)
        for _ in range(10):
            open_session(server, "127.0.0.1")
        for call in calls:
            assert "slow" in call.result(timeout=20)["result"]["content"][0]["text"]


def test_a_session_that_is_unused_for_its_time_is_closed(
    workshop: Generated, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    with listening(workshop, "streamable-http", log, WORKSHOP_LIMIT_IDLE_TIME="0.5") as server:
        session = open_session(server, "10.0.0.1")
        time.sleep(2)
        assert ping(server, session).status == 404


@pytest.mark.parametrize("level", ["info", "debug"])
@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_no_session_id_is_in_the_log(
    workshop: Generated, check: WireCheck, tmp_path: Path, transport: str, level: str
) -> None:
    from tests.raw_web_client import SseClient

    log = tmp_path / "log.txt"
    with listening(workshop, transport, log, "--log-level", level) as server:
        if transport == "sse":
            with SseClient(server, LEGACY[-1], check) as sse:
                session = sse.endpoint.partition("session_id=")[2]
                sse.call("nothing")
        else:
            session = open_session(server, "10.0.0.1")
            assert server.request("DELETE", "/mcp", {"Mcp-Session-Id": session})[0] == 200
    assert len(session) == 32
    assert session not in log.read_text()
    # Its beginning is there where the SDK tells of a session; requests that succeed are not logged.
    if level == "info":
        assert (session[:8] in log.read_text()) == (transport == "streamable-http")


def test_a_message_that_is_too_long_is_refused_where_the_limit_says(
    workshop: Generated, tmp_path: Path
) -> None:
    for transport, path in (("streamable-http", "/mcp"), ("sse", "/messages/")):
        log = tmp_path / f"{transport}.txt"
        with listening(workshop, transport, log, "--limit-message-size", "1000") as server:
            assert post(server.port, path, b" " * 1001, {}).status == 413
            assert post(server.port, path, b" " * 1000, {}).status == 400


def test_a_call_ends_where_the_limit_says(
    workshop: Generated, check: WireCheck, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    with (
        listening(workshop, "streamable-http", log, WORKSHOP_LIMIT_CALL_TIME="0.5") as server,
        HttpClient(server, MODERN, check) as client,
    ):
        result = client.call("slow", seconds=30)["result"]
        assert result["content"][0]["text"] == "slow took longer than 0.5 seconds"


def test_a_client_subscribes_to_so_many_resources(check: WireCheck, tmp_path: Path) -> None:
    spec = {
        "name": "news",
        "version": "1",
        "transports": ["streamable-http"],
        "capabilities": {"resources": {"subscribe": True}},
        "resources": [{"uri": "news://today", "name": "today", "text": "Nothing."}],
    }
    project = generate(spec, tmp_path / "news")
    log = tmp_path / "log.txt"
    wrong = [[f"news://{n}" for n in range(30_000)], ["news://" + "x" * 3000]]
    with (
        listening(project, "streamable-http", log) as server,
        HttpClient(server, MODERN, check) as modern,
        HttpClient(server, LEGACY[-1], check) as legacy,
    ):
        for uris in wrong:
            wanted = {"notifications": {"resourceSubscriptions": uris}}
            refusal = modern.request("subscriptions/listen", wanted)
            assert refusal["error"]["code"] == -32602
        refusal = legacy.request("resources/subscribe", {"uri": wrong[1][0]})
        assert refusal["error"]["code"] == -32602
        assert legacy.request("resources/subscribe", {"uri": "news://today"})["result"] == {}


WRONG = {
    "many": ["--limit-threads (WORKSHOP_LIMIT_THREADS) must be a whole number above 0"],
    "0": ["--limit-threads (WORKSHOP_LIMIT_THREADS) must be a whole number above 0"],
    "1.5": ["--limit-threads (WORKSHOP_LIMIT_THREADS) must be a whole number above 0"],
    "-1": ["--limit-threads"],
    "9" * 5000: ["--limit-threads"],
}


@pytest.mark.parametrize("value", WRONG, ids=lambda value: value[:5])
def test_a_wrong_limit_is_told_in_a_line_before_anything_is_served(
    workshop: Generated, value: str
) -> None:
    ran = workshop.run(WORKSHOP_LIMIT_THREADS=value, WORKSHOP_LIMIT_STOP_TIME="nan")
    assert ran.returncode == 1
    assert ran.stdout == b""
    assert ran.stderr.count(b"\n") == 1
    for part in (*WRONG[value], "--limit-stop-time (WORKSHOP_LIMIT_STOP_TIME) must be a number"):
        assert part in ran.stderr.decode()


def test_an_option_wins_over_its_variable(workshop: Generated) -> None:
    ran = workshop.run("--limit-threads", "none", WORKSHOP_LIMIT_THREADS="7")
    assert b"not 'none'" in ran.stderr


def test_the_readme_has_the_limits_as_the_help_does(workshop: Generated) -> None:
    readme = (workshop.folder / "README.md").read_text()
    rows = re.findall(r"^\| `(--limit-\S+)` \| `(\w+)` \| (\d+) \| (.+) \|$", readme, re.MULTILINE)
    text = " ".join(workshop.run("--help").stdout.decode().split())
    assert len(rows) == text.count("--limit-") - text.partition("limits:")[0].count("--limit-")
    for option, variable, default, about in rows:
        assert f"{option} N {about} (default: {default})" in text
        assert variable == option.removeprefix("--limit-").upper().replace("-", "_")


def test_a_server_on_standard_streams_has_no_limits_of_http(tmp_path: Path) -> None:
    spec = {
        "name": "small",
        "version": "1",
        "transports": ["stdio"],
        "prompts": [{"name": "hello", "messages": [{"role": "user", "content": "Hello"}]}],
    }
    project = generate(spec, tmp_path / "small")
    text = project.run("--help").stdout.decode()
    assert "--limit-message-size" in text
    for other in ("threads", "call-time", "connections", "head-time", "sessions"):
        assert f"--limit-{other}" not in text
        assert f"--limit-{other}" not in (project.folder / "README.md").read_text()
