"""What a server reads from its environment and its command line, before it serves."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.generated import Generated, generate
from tests.raw_client import LEGACY, StdioClient, WireCheck
from tests.server.conftest import TRANSPORTS


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("value", [None, ""], ids=["not set", "empty"])
def test_a_missing_variable_is_told_in_a_line_before_anything_is_served(
    workshop: Generated, transport: str, value: str | None
) -> None:
    env = {} if value is None else {"WORKSHOP_DIARY": value}
    ran = Generated(workshop.folder, workshop.package, env).run("--transport", transport)
    assert ran.returncode == 1
    assert ran.stderr == b"workshop: not set in the environment: WORKSHOP_DIARY\n"
    assert ran.stdout == b""


def test_every_missing_variable_is_told_at_once(tmp_path: Path) -> None:
    spec = {
        "name": "needy",
        "version": "1",
        "env": [{"name": "FIRST"}, {"name": "SECOND"}, {"name": "THIRD", "required": False}],
        "prompts": [{"name": "hello", "messages": [{"role": "user", "content": "Hello"}]}],
    }
    ran = generate(spec, tmp_path / "needy").run()
    assert ran.returncode == 1
    assert ran.stderr == b"needy: not set in the environment: FIRST, SECOND\n"


def test_the_readme_starts_a_container_with_what_the_server_cannot_do_without(
    tmp_path: Path,
) -> None:
    variables = [{"name": "FIRST"}, {"name": "TOKEN", "secret": True, "required": False}]
    spec = {
        "name": "needy",
        "version": "1",
        "transports": ["streamable-http"],
        "env": [*variables, {"name": "THIRD", "required": False}],
        "auth": {"bearer": {"env": "TOKEN"}},
        "prompts": [{"name": "hello", "messages": [{"role": "user", "content": "Hello"}]}],
    }
    readme = (generate(spec, tmp_path / "needy").folder / "README.md").read_text()
    assert "docker run -p 8000:8000 -e FIRST -e TOKEN needy " in readme


@pytest.mark.parametrize("required", [True, False])
def test_the_readme_says_whether_a_server_can_be_without_a_token(
    tmp_path: Path, required: bool
) -> None:
    spec = {
        "name": "needy",
        "version": "1",
        "transports": ["streamable-http"],
        "env": [{"name": "TOKEN", "secret": True, "required": required}],
        "auth": {"bearer": {"env": "TOKEN"}},
        "prompts": [{"name": "hello", "messages": [{"role": "user", "content": "Hello"}]}],
    }
    readme = (generate(spec, tmp_path / "needy").folder / "README.md").read_text()
    assert ("\nRequests must send the value of `TOKEN` as a bearer token.\n" in readme) is required
    assert ("\nIf `TOKEN` is set, requests must send its value" in readme) is not required
    assert ("--allow-unauthenticated" in readme) is not required


def test_a_variable_that_is_set_wins_over_its_default(
    workshop: Generated, check: WireCheck
) -> None:
    with StdioClient(workshop, LEGACY[-1], check, WORKSHOP_GREETING="Moin") as client:
        greeting = client.call("greet", name="Ada")["result"]["content"][0]["text"]
    assert greeting == "Moin, Ada!"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--transport", "carrier-pigeon"],
        ["--port", "many"],
        ["--port", "70000"],
        ["--port", "-1"],
        ["--host", "x" * 64],
        ["--host", "two..dots"],
        ["--log-level", "all"],
        ["extra"],
    ],
    ids=lambda words: " ".join(words)[:20],
)
def test_a_wrong_option_is_told_with_what_is_right(
    workshop: Generated, arguments: list[str]
) -> None:
    ran = workshop.run(*arguments)
    assert ran.returncode == 2
    assert ran.stderr.startswith(b"usage: workshop ")
    assert ran.stdout == b""


def test_help_tells_the_options(workshop: Generated) -> None:
    ran = workshop.run("--help")
    assert ran.returncode == 0
    for option in (b"--transport", b"--host", b"--port", b"--log-level", b"--allowed-host"):
        assert option in ran.stdout


@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_a_port_that_is_taken_is_told(workshop: Generated, transport: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        ran = workshop.run("--transport", transport, "--port", port)
    assert ran.returncode != 0
    assert b"address already in use" in ran.stderr
    assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize("level", ["info", "error"])
def test_the_log_holds_what_it_was_asked_for(
    workshop: Generated, check: WireCheck, level: str
) -> None:
    with StdioClient(workshop, LEGACY[-1], check, "--log-level", level) as client:
        client.call("fail", how="tool error")
        client.call("fail", how="exception")
    assert ("INFO" in client.log) == (level == "info")
    assert "fail failed, reference" in client.log
