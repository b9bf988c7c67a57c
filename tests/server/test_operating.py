"""What an operator relies on: variables, a version, a word on the terminal, an orderly end."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.generated import Generated, free_port, generate, listening
from tests.raw_client import LEGACY, MODERN, StdioClient, WireCheck
from tests.raw_web_client import HttpClient, SseClient
from tests.server.conftest import TRANSPORTS
from tests.server.test_stubs import write

SPEC = {
    "name": "steady",
    "version": "1.2.3",
    "transports": ["stdio", "streamable-http", "sse"],
    "tools": [
        {
            "name": name,
            "description": "Take a while.",
            "inputSchema": {
                "type": "object",
                "properties": {"seconds": {"type": "number"}},
                "required": ["seconds"],
            },
        }
        for name in ("wait", "block")
    ],
}
LIFESPAN = """\
import atexit
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Shared:
    pass


def flush() -> None:
    with Path(os.environ["FLUSHED"]).open("a") as file:
        file.write("begun, ")
        file.flush()
        time.sleep(1)
        file.write("flushed")


@asynccontextmanager
async def lifespan() -> AsyncIterator[Shared]:
    if "FLUSHED" in os.environ:
        atexit.register(flush)
    yield Shared()
"""
SECONDS = "    seconds = arguments.seconds\n"
WAIT = """\
    await anyio.sleep(seconds)
    if seconds == 0:
        try:
            raise OSError("the cause")
        except OSError as error:
            raise ToolError("The service is down") from error
    return "waited"


import anyio
from steady._generated.errors import ToolError
"""
BLOCK = """\
    time.sleep(seconds)
    return "blocked"


import time
"""


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("steady") / "project"
    project = generate(SPEC, folder, handlers={"lifespan.py": LIFESPAN})
    write(project, "wait", SECONDS + WAIT)
    write(project, "block", SECONDS + BLOCK, "def")
    return project


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "a thread is blocked"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_work_of_atexit_is_not_cut_off_and_done_once(
    steady: Generated, check: WireCheck, tmp_path: Path, transport: str, busy: bool
) -> None:
    flushed = tmp_path / "flushed.txt"
    if transport == "stdio":
        with StdioClient(steady, LEGACY[-1], check, FLUSHED=str(flushed)) as client:
            if busy:
                client.start_call("block", seconds=30)
                time.sleep(0.5)
            client.process.terminate()
            assert client.process.wait(timeout=10) == 0
    else:
        kind = SseClient if transport == "sse" else HttpClient
        options = ("--limit-grace-time", "0.1")
        log = tmp_path / "log.txt"
        with (
            listening(steady, transport, log, *options, FLUSHED=str(flushed)) as server,
            kind(server, LEGACY[-1], check) as web,
        ):
            if busy:
                web.start_call("block", seconds=30)
                time.sleep(0.5)
            server.process.terminate()
            assert server.process.wait(timeout=10) == 0
    assert flushed.read_text() == "begun, flushed"


@pytest.mark.parametrize("tool", ["wait", "block"])
@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_a_call_in_flight_at_a_stop_gets_its_result(
    steady: Generated, check: WireCheck, tmp_path: Path, transport: str, version: str, tool: str
) -> None:
    kind = SseClient if transport == "sse" else HttpClient
    log = tmp_path / "log.txt"
    with (
        listening(steady, transport, log) as server,
        kind(server, version, check) as client,
    ):
        call = client.start_call(tool, seconds=1.5)
        time.sleep(0.5)
        server.process.send_signal(signal.SIGTERM)
        result = call.result(timeout=10)
        assert "result" in result, (result, log.read_text())
        assert result["result"]["content"][0]["text"].startswith(("waited", "blocked"))
        assert server.process.wait(timeout=10) == 0
    told = log.read_text()
    assert "Traceback" not in told
    assert "ERROR" not in told


def test_a_call_that_takes_longer_than_the_grace_is_told_that_the_server_stops(
    steady: Generated, check: WireCheck, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    with (
        listening(steady, "streamable-http", log, "--limit-grace-time", "1") as server,
        HttpClient(server, LEGACY[-1], check) as client,
    ):
        call = client.start_call("wait", seconds=30)
        time.sleep(0.5)
        begun = time.monotonic()
        server.process.terminate()
        assert call.result(timeout=10)["error"]["message"] == "The server has been stopped"
        assert 0.9 < time.monotonic() - begun < 5
        assert server.process.wait(timeout=10) == 0
    assert "Traceback" not in log.read_text()


def test_a_second_signal_ends_the_grace(
    steady: Generated, check: WireCheck, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    with (
        listening(steady, "streamable-http", log, "--limit-grace-time", "20") as server,
        HttpClient(server, LEGACY[-1], check) as client,
    ):
        client.start_call("wait", seconds=30)
        time.sleep(0.5)
        server.process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(timeout=5) == 0


@pytest.mark.parametrize("level", ["info", "debug"])
def test_a_foreseen_error_is_a_line_and_its_cause_is_for_debugging(
    steady: Generated, check: WireCheck, level: str
) -> None:
    with StdioClient(steady, LEGACY[-1], check, "--log-level", level) as client:
        assert client.call("wait", seconds=0)["result"]["isError"]
    lines = [line for line in client.log.splitlines() if "The service is down" in line]
    assert len(lines) == 1
    assert re.match(
        r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} INFO steady\._generated\.calls: ", lines[0]
    )
    assert ("OSError: the cause" in client.log) == (level == "debug")


def test_the_version_is_that_of_the_spec(steady: Generated) -> None:
    ran = steady.run("--version")
    assert (ran.returncode, ran.stdout) == (0, b"steady 1.2.3\n")


def test_where_it_listens_comes_from_the_environment_too(steady: Generated, tmp_path: Path) -> None:
    port = str(free_port())
    with listening(
        steady, "sse", tmp_path / "log", STEADY_PORT=port, STEADY_LOG_LEVEL="debug"
    ) as server:
        assert server.is_up()  # The option wins over the variable.
    command = steady.command("--transport", "sse")
    env = steady.environment | {"STEADY_PORT": port, "STEADY_HOST": "localhost"}
    process = subprocess.Popen(
        command, cwd=steady.folder, env=env, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr
    told = next(line for line in process.stderr if "running on" in line)
    process.terminate()
    process.communicate(timeout=10)
    assert f"http://localhost:{port} " in told


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("STEADY_PORT", "many", "STEADY_PORT must be a number from 0 to 65535, not 'many'"),
        ("STEADY_HOST", "two..dots", "STEADY_HOST must be a host name, not 'two..dots'"),
        (
            "STEADY_LOG_LEVEL",
            "loud",
            "STEADY_LOG_LEVEL must be one of debug, info, warning, error, not 'loud'",
        ),
    ],
)
def test_a_variable_is_held_to_what_its_option_is_and_named(
    steady: Generated, name: str, value: str, told: str
) -> None:
    wrong = Generated(steady.folder, steady.package, {name: value})
    ran = wrong.run()
    assert (ran.returncode, ran.stderr.decode()) == (1, f"steady: {told}\n")


def test_a_wrong_variable_does_not_matter_where_an_option_is_given(steady: Generated) -> None:
    wrong = Generated(steady.folder, steady.package, {"STEADY_PORT": "x", "STEADY_LOG_LEVEL": "x"})
    ran = wrong.run("--port", "8000", "--log-level", "error")
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_on_a_terminal_the_server_says_how_to_try_it(steady: Generated, transport: str) -> None:
    ours, theirs = pty.openpty()
    port = str(free_port())
    process = subprocess.Popen(
        steady.command("--transport", transport, "--port", port),
        cwd=steady.folder,
        env=steady.environment,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(theirs)
    assert process.stderr
    line = process.stderr.readline()
    process.terminate()
    output, _ = process.communicate(timeout=20)
    os.close(ours)
    path = {"streamable-http": "mcp", "sse": "sse"}.get(transport)
    if path:
        how = (
            f"waiting for clients; to try it: python client.py --url http://127.0.0.1:{port}/{path}"
        )
    else:
        how = "waiting for a client on standard input; to try it: python client.py"
    assert line == f"steady: {how}\n"
    assert output == ""


def test_no_client_that_starts_the_server_is_told_how_to_try_it(steady: Generated) -> None:
    ran = steady.run(input=b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
    assert (ran.returncode, ran.stderr) == (0, b"")


VARIABLES: dict[str, Mapping[str, Any]] = {
    "DAYS": {"type": "integer", "default": "7"},
    "FACTOR": {"type": "number", "required": False},
    "STRICT": {"type": "boolean", "default": "no"},
    "FOLDER": {"type": "path"},
    "SERVICE": {"type": "url", "required": False},
    "TAGS": {"type": "list", "required": False},
    "PIN": {"type": "integer", "secret": True},
    "WORD": {"required": False},
}
READ = """\
    s = context.shared.settings
    return repr((s.days, s.factor, s.strict, s.folder, s.service, s.tags, s.pin, s.word))
"""


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    spec = {
        "name": "typed",
        "version": "1",
        "transports": ["stdio", "streamable-http"],
        "env": [{"name": name, **more} for name, more in VARIABLES.items()],
        "tools": [{"name": "read", "description": "Read.", "inputSchema": {"type": "object"}}],
    }
    folder = tmp_path_factory.mktemp("typed") / "project"
    env = {"FOLDER": "/srv", "PIN": "17"}
    project = generate(spec, folder, env=env)
    write(project, "read", READ)
    return project


@pytest.mark.parametrize(
    ("env", "read"),
    [
        ({}, "(7, None, False, PosixPath('/srv'), None, (), 17, None)"),
        (
            {
                "DAYS": "30",
                "FACTOR": "0.5",
                "STRICT": "True",
                "SERVICE": "https://example.org/x",
                "TAGS": "a, b,,c ",
                "WORD": "7",
            },
            "(30, 0.5, True, PosixPath('/srv'), 'https://example.org/x', ('a', 'b', 'c'), 17, '7')",
        ),
        ({"DAYS": "", "STRICT": ""}, "(7, None, False, PosixPath('/srv'), None, (), 17, None)"),
    ],
    ids=["defaults", "values", "empty"],
)
def test_a_handler_reads_settings_of_their_types(
    typed: Generated, check: WireCheck, env: dict[str, str], read: str
) -> None:
    with StdioClient(typed, LEGACY[-1], check, **env) as client:
        assert client.call("read")["result"]["content"][0]["text"] == read


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("DAYS", "seven", "DAYS must be a whole number, not 'seven'"),
        ("FACTOR", "nan", "FACTOR must be a number, not 'nan'"),
        ("STRICT", "maybe", "STRICT must be true or false, not 'maybe'"),
        ("SERVICE", "example.org", "SERVICE must be a URL, not 'example.org'"),
        ("SERVICE", "http://it:port", "SERVICE must be a URL, not 'http://it:port'"),
        ("PIN", "hunter2", "PIN must be a whole number"),
    ],
)
def test_a_wrong_setting_is_told_in_a_line_before_anything_is_served(
    typed: Generated, name: str, value: str, told: str
) -> None:
    wrong = Generated(typed.folder, typed.package, {**typed.env, name: value})
    ran = wrong.run()
    assert (ran.returncode, ran.stderr.decode()) == (1, f"typed: {told}\n")
    assert ran.stdout == b""


def test_all_that_is_wrong_is_told_at_once_each_by_its_own_name(typed: Generated) -> None:
    env = {
        "TYPED_PORT": "many",
        "TYPED_LOG_LEVEL": "loud",
        "TYPED_LIMIT_THREADS": "0",
        "FOLDER": "",
        "DAYS": "seven",
        "PIN": "hunter2",
    }
    ran = Generated(typed.folder, typed.package, env).run()
    told = ran.stderr.decode().removeprefix("typed: ").rstrip("\n").split("; ")
    assert [words.split(" must ")[0] for words in told] == [
        "TYPED_PORT",
        "TYPED_LOG_LEVEL",
        "--limit-threads (TYPED_LIMIT_THREADS)",
        "not set in the environment: FOLDER",
        "DAYS",
        "PIN",
    ]
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert b"hunter2" not in ran.stderr


def test_a_type_checker_knows_the_settings(typed: Generated) -> None:
    handler = typed.source / "tools" / "read.py"
    text = handler.read_text()
    handler.write_text(
        text.replace("    s = ", "    n: str = context.shared.settings.days\n    s = ")
    )
    command = [sys.executable, "-m", "mypy", "src"]
    told = subprocess.run(command, cwd=typed.folder, capture_output=True, text=True, check=False)
    handler.write_text(text)
    assert 'expression has type "int", variable has type "str"' in told.stdout


def test_an_example_of_the_variables_comes_with_the_project(typed: Generated) -> None:
    lines = (typed.folder / ".env.example").read_text().splitlines()
    assert {"FOLDER=", "PIN=", "# DAYS=7", "# STRICT=no", "# TAGS="} <= {*lines}
