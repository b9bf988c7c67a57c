# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Test the server against the spec, as it is started on each of its transports."""

import asyncio
import hashlib
import json
import re
import socket
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Generator, Iterable, Mapping
from contextlib import suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path
from typing import Any, TextIO, TypeAlias

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from mcp import MCPError
from mcp_types import Request

from expenses._generated.auth import OAUTH
from expenses._generated.client import connected, running, started
from expenses._generated.runtime.checks import Check, log_file
from expenses._generated.runtime.examples import EXAMPLES
from expenses._generated.runtime.task_client import Created, Current, TaskRequest
from expenses._generated.runtime.trial import Trial, trial

PROJECT = Path(__file__).parents[1]
ABOUT = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
# Seconds that the server may take to start and to stop.
PATIENCE = 60
# Each transport, with a client of today and one from before 2026-07-28.
WAYS = [(way, era) for way in ("stdio", "/mcp") for era in ("auto", "legacy")]
Story: TypeAlias = tuple[list[Check], dict[int, Check]]
"""All checks of a server, and those of examples by their number."""
# Arguments that are valid, by tool.
SAMPLES: dict[str, dict[str, Any]] = {
    example["tool"]: example.get("arguments", {})
    for example in EXAMPLES
    if "tool" in example and not example.get("isError") and "${" not in str(example)
}
# A server whose tools print, and then take too long, fail or return a wrong result.
FAULTY = """
import asyncio, dataclasses, itertools, os, sys
stdout = os.dup(1)
os.dup2(2, 1)  # Handlers may print when they are imported.
from expenses._generated import server
sys.stdout.flush()
os.dup2(stdout, 1)

def faulty(tool):
    schema, turns = tool.get("outputSchema", {}), itertools.count()
    async def handle(*_):
        turn = next(turns) % 3
        print("called", flush=True)
        if turn == 0:
            await asyncio.sleep(60)
        if turn == 1 or "string" in schema.get("type", "string"):
            raise ValueError("private")
        return "private"
    return handle

for tool in server.CATALOG["tools"]:
    row, handler = server.TOOLS[tool["name"]], faulty(tool)
    server.TOOLS[tool["name"]] = dataclasses.replace(row, handler=handler, timeout=0.5)
"""


def program(*before: str) -> list[str]:
    """Return the command that the project installs, after some statements."""
    module, _, function = ABOUT["scripts"]["expenses"].partition(":")
    script = [*before, f"from {module} import {function}", f"{function}()"]
    return [sys.executable, "-c", "\n".join(script)]


class Issuer(BaseHTTPRequestHandler):
    """An issuer that has all its documents in one, at each address."""

    key = ec.generate_private_key(ec.SECP256R1())

    def do_GET(self) -> None:
        key = ECAlgorithm.to_jwk(self.key.public_key(), as_dict=True) | {"kid": "1"}
        about = {"issuer": issuer(), "jwks_uri": issuer(), "keys": [key]}
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(about).encode())


@cache
def issuer() -> str:
    """Start the issuer, which lasts as long as the tests, and return its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Issuer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def token(address: str, **claims: object) -> str:
    """Return a token with all scopes for the server at an address."""
    usual = {
        "iss": issuer(),
        "aud": OAUTH.audience or f"{address}/mcp",
        "exp": time.time() + 600,
        "sub": "tests",
        "scope": " ".join(chain(OAUTH.scopes, *OAUTH.tools.values())),
    }
    return jwt.encode(usual | claims, Issuer.key, "ES256", {"kid": "1"})


class Listening:
    """A server over HTTP, which starts while something else is done."""

    def __init__(self, environment: Mapping[str, str], log: Path, *before: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.at = free.getsockname()
        self.address, self.log = f"http://127.0.0.1:{self.at[1]}", log
        options = [
            "--transport",
            "streamable-http",
            "--host",
            "127.0.0.1",
            "--port",
            str(self.at[1]),
        ]
        # All tests are one client.
        options += ["--client-calls", "1000", "--client-calls-per-minute", "1000000"]
        # Only the issuer is made up.
        before = (
            "import dataclasses, expenses._generated.auth as auth",
            f"auth.OAUTH = dataclasses.replace(auth.OAUTH, issuer={issuer()!r}, jwks='')",
            *before,
        )
        environment = {**environment, "PUBLIC_URL": f"{self.address}/mcp"}
        with log.open("w") as output:
            self.process = subprocess.Popen(
                [*program(*before), *options, "--log-level", "warning"],
                env={"EXPENSES_TASKS": ":memory:", **environment},
                stdout=output,
                stderr=output,
            )

    def ready(self) -> str:
        """Return the address, once the server answers. Raises ConnectionError."""
        latest = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < latest:
            with suppress(ConnectionError), socket.create_connection(self.at):
                return self.address
            time.sleep(0.02)
        raise ConnectionError("the server did not start")

    def stop(self) -> None:
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0, self.log.read_text()


async def story(way: str, era: str) -> Story:
    """Make all checks of a new server."""
    try:
        with trial() as tried, log_file() as log:
            if way == "stdio":
                return await checks_of(started(tried.variables, log), era, log, tried)
            server = Listening(tried.variables, Path(log.name))
            try:
                address = await asyncio.to_thread(server.ready)
                way = f"{address}{way}"
                made = await checks_of(running(way, token(address)), era, log, tried)
                await asyncio.to_thread(server.stop)
                return made
            finally:
                server.process.kill()
    except ConnectionError as error:
        return [("FAIL", str(error))], {}


async def checks_of(server: Any, era: str, log: TextIO, tried: Trial) -> Story:
    async with connected(server, era, tried) as checks:
        checks.log = Path(log.name)
        return [check async for check in checks.all()], checks.checked


@pytest.fixture(scope="module")
def stories(faulty: object, fed: object) -> dict[tuple[str, str], Story]:
    """What is checked of servers that run at once, on each transport."""

    async def all_at_once() -> list[Story]:
        return await asyncio.gather(*(story(way, era) for way, era in WAYS))

    return dict(zip(WAYS, asyncio.run(all_at_once()), strict=True))


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_the_server_does_what_the_spec_says(
    way: tuple[str, str], stories: dict[tuple[str, str], Story]
) -> None:
    checks, examples = stories[way]
    others = [check for check in checks if check not in examples.values()]
    if failed := [text for word, text in others if word == "FAIL"]:
        pytest.fail("\n".join(failed), pytrace=False)


@pytest.mark.parametrize(
    "number", range(len(EXAMPLES)), ids=[example["name"] for example in EXAMPLES]
)
def test_an_example_ends_as_the_spec_says(
    number: int, stories: dict[tuple[str, str], Story]
) -> None:
    nothing = ("skip", "no server")
    ends = {
        way: examples.get(number, nothing) for way, (_, examples) in stories.items()
    }
    if failed := {way: text for way, (word, text) in ends.items() if word == "FAIL"}:
        ways = (
            ", ".join(map(" ".join, failed))
            if len(failed) < len(ends)
            else "all transports"
        )
        pytest.fail(f"{next(iter(failed.values()))}\n     over {ways}", pytrace=False)
    for word, text in ends.values():
        if word != "ok":
            pytest.skip(f"to write: {text}" if word == "todo" else text)


def test_the_generated_files_are_as_they_were_generated() -> None:
    lock = json.loads((PROJECT / ".scaffold/lock.json").read_bytes())
    files = {p: f for p, f in lock["files"].items() if f["owner"] == "generated"}
    for path, file in files.items():
        data = (PROJECT / path).read_bytes()
        if "exact" not in file:  # Git may have given it the line ends of Windows.
            data = data.replace(b"\r\n", b"\n")
        hint = f"{path}: edit the spec or a template, then regenerate"
        assert hashlib.sha256(data).hexdigest() == file["sha256"], hint


def test_the_project_declares_what_it_imports() -> None:
    def names(texts: Iterable[str]) -> set[str]:
        first = [re.split(r"[^\w-]", text.lower())[0] for text in texts]
        return {name.replace("_", "-") for name in first}

    extras = ABOUT.get("optional-dependencies", {}).values()
    declared = names([ABOUT["name"], *ABOUT["dependencies"], *chain(*extras)])
    packages = packages_distributions()
    for path in PROJECT.glob("src/*/_generated/**/*.py"):
        for module in re.findall(
            r"(?m)^ *(?:from|import) (\w+)", path.read_text("utf-8")
        ):
            is_declared = module not in packages or names(packages[module]) & declared
            assert is_declared, f"add {module} to pyproject.toml"


def check_answers(texts: list[str]) -> None:
    """Check what three calls of a faulty tool say."""
    if all(
        text.startswith("This needs a client that supports tasks") for text in texts
    ):
        return
    *masked, limit = sorted(texts)
    assert [text[:26] for text in masked] == ["Internal error, reference "] * 2
    assert limit == "The call took longer than 0.5 seconds"


MESSAGES: list[dict[str, Any]] = [
    {
        "id": "hello",
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "tests", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    *(
        {
            "id": f"{tool} {n}",
            "method": "tools/call",
            "params": {"name": tool, "arguments": given},
        }
        for tool, given in SAMPLES.items()
        for n in range(3)
    ),
]


@pytest.fixture(scope="module")
def fed(
    tmp_path_factory: pytest.TempPathFactory,
) -> Generator[tuple[subprocess.Popen[bytes], Path]]:
    """A server whose input is these messages, and the folder of its output and log."""
    folder = tmp_path_factory.mktemp("fed")
    lines = [json.dumps({"jsonrpc": "2.0", **message}) for message in MESSAGES]
    (folder / "in").write_text("\n".join([*lines, ""]))
    with (
        trial() as tried,
        (folder / "in").open() as given,
        (folder / "out").open("w") as output,
        (folder / "log").open("w") as log,
    ):
        command = [*program(FAULTY), "--transport", "stdio"]
        server = subprocess.Popen(
            command, stdin=given, stdout=output, stderr=log, env=tried.variables
        )
        yield server, folder
        server.kill()


def test_the_end_of_input_ends_the_server_after_its_answers(
    fed: tuple[subprocess.Popen[bytes], Path],
) -> None:
    server, folder = fed
    assert server.wait(PATIENCE) == 0, (folder / "log").read_text()
    lines = (folder / "out").read_text("utf-8").splitlines()
    answers = {answer["id"]: answer for answer in map(json.loads, lines)}
    assert answers.keys() == {message["id"] for message in MESSAGES if "id" in message}
    for tool in SAMPLES:
        results = [answers[f"{tool} {n}"]["result"] for n in range(3)]
        check_answers([result["content"][0]["text"] for result in results])


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Generator[Listening]:
    """A server over HTTP whose tools are faulty."""
    log = tmp_path_factory.mktemp("faulty") / "log"
    with trial() as tried:
        server = Listening(tried.variables, log, FAULTY)
        yield server
        server.process.kill()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer another"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/mcp"])
def test_strangers_are_refused(
    faulty: Listening, path: str, headers: dict[str, str], status: int
) -> None:
    address = faulty.ready()
    ours = {"Accept": "application/json, text/event-stream"}
    ours["Authorization"] = f"Bearer {token(address)}"
    answer = httpx2.request(
        "POST",
        f"{address}{path}",
        headers=ours | headers,
        json={"jsonrpc": "2.0", "id": 1, "method": "ping"},
    )
    assert answer.status_code == status


@pytest.mark.parametrize(
    "claims", [{"iss": "another"}, {"aud": "another"}, {"exp": 1}], ids=str
)
def test_tokens_for_others_are_refused(
    faulty: Listening, claims: dict[str, Any]
) -> None:
    address = faulty.ready()
    headers = {"Authorization": f"Bearer {token(address, **claims)}"}
    answer = httpx2.post(f"{address}/mcp", headers=headers, json={})
    assert answer.status_code == 401
    metadata = f"{address}/.well-known/oauth-protected-resource/mcp"
    assert f'resource_metadata="{metadata}"' in answer.headers["WWW-Authenticate"]
    assert httpx2.get(metadata).json()["resource"] == f"{address}/mcp"


@pytest.mark.parametrize("era", ["auto", "legacy"])
@pytest.mark.parametrize(
    "tool",
    [tool for tool, scopes in OAUTH.tools.items() if {*scopes} - {*OAUTH.scopes}],
)
def test_a_call_needs_the_scopes_of_its_tool(
    faulty: Listening, tool: str, era: str
) -> None:
    async def call() -> dict[str, Any]:
        address = faulty.ready()
        weak = token(address, scope=" ".join(OAUTH.scopes))
        async with connected(running(f"{address}/mcp", weak), era) as checks:
            return await checks.response("tools/call", {"name": tool, "arguments": {}})

    assert "error" in asyncio.run(call())


def test_a_task_is_seen_by_its_client_alone(faulty: Listening) -> None:
    async def read(tool: str) -> None:
        way = f"{faulty.ready()}/mcp"
        call = Request[Any, str](
            method="tools/call", params={"name": tool, "arguments": SAMPLES[tool]}
        )
        async with (
            connected(running(way, token(faulty.address))) as ours,
            connected(running(way, token(faulty.address, sub="another"))) as another,
        ):
            await ours.client.list_tools()  # They say which arguments are headers too.
            created = await ours.client.session.send_request(call, Created)
            about = {"taskId": created.task_id}
            get = TaskRequest(method="tasks/get", params=about)
            await ours.client.session.send_request(get, Current)
            with pytest.raises(MCPError):
                await another.client.session.send_request(get, Current)

    for tool in SAMPLES.keys() & {"convert_expenses"}:
        asyncio.run(read(tool))


def test_a_stop_waits_for_calls(faulty: Listening) -> None:
    async def call_all() -> dict[str, list[str]]:
        address, already = faulty.ready(), faulty.log.read_text().count("called")
        way = f"{address}/mcp"
        server = running(way, token(address))
        async with connected(server, "legacy") as checks:
            calls = {
                tool: asyncio.gather(*(checks.call(tool, given) for _ in range(3)))
                for tool, given in SAMPLES.items()
            }
            while faulty.log.read_text().count("called") < already + 3 * len(calls):
                await asyncio.sleep(0.02)
            faulty.process.terminate()
            return {
                tool: [outcome.text for outcome in await three]
                for tool, three in calls.items()
            }

    for texts in asyncio.run(call_all()).values():
        check_answers(texts)
    assert faulty.process.wait(PATIENCE) == 0
