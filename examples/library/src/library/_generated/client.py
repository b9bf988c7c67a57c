# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The client of client.py and the tests: it reaches the server, and checks what it answers."""

import asyncio
import gc
import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from io import FileIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TextIO, TypeAlias, cast

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import Request, Result

from .runtime.command import SettingsError
from .runtime.handlers import first
from .runtime.schema import Schema
from .runtime.trial import trial

CATALOG: Any = json.loads(Path(__file__).with_name("catalog.json").read_bytes())
CHECKS: list[dict[str, Any]] = CATALOG["checks"]
TOOLS: dict[str, Any] = {tool["name"]: tool for tool in CATALOG["tools"]}
# Characters of a value that are shown, and lines of the log.
MAX_SHOWN = 300
MAX_LOG = 4

Check: TypeAlias = tuple[str, str]
"""How a check ended, which is ok, todo, skip or FAIL, and what was checked."""


class Outcome(NamedTuple):
    """What came of a request: its text, its data, and whether it failed."""

    text: str
    data: Any = None
    failed: bool = False


class Connection:
    """A connection to the server, and what is checked over it."""

    version = ""

    def __init__(self, server: Any, mode: str, log: Path) -> None:
        self.log = log
        self.client = Client(server, mode=mode)

    async def response(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return what the response to a request has: `result` or `error`."""
        request = Request[Any, str](method=method, params=params or None)
        try:
            result = await self.client.session.send_request(request, Anything)
        except MCPError as error:
            return {"error": {"code": error.code, "message": error.message}}
        data = result.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return {"result": data}

    async def check(self, number: int) -> Check:
        """Make a request, and compare what comes of it with the spec."""
        check, name = CHECKS[number], CHECKS[number]["name"]
        start = len(self.logged())
        outcome = await self.ask(check)
        fault, log = self.fault_of(check, outcome), self.logged()[start:][-MAX_LOG:]
        text = " ".join(outcome.text.split())
        line = f"{name}: {text if 'list' in check else text[:60]}".rstrip(": ")
        if not fault:
            return "ok", "\n     ".join([line, *log])
        if outcome.failed and outcome.text == "This is not written yet":
            return "todo", line
        params, expected = check["params"], check.get("expected", "…")
        details = [
            f"sent: {shown(params.get('arguments', params))}",
            f"expected: {'the error ' * ('isError' in check)}{shown(expected)}",
            f"got: {'the error ' * outcome.failed}{shown(outcome.text)}",
            f"see: {check.get('see', check['method'])}",
        ]
        return "FAIL", "\n     ".join([f"{name} - {fault}", *details, *log])

    def logged(self) -> list[str]:
        """Return the lines of the server's log that say something."""
        lines = self.log.read_text("utf-8").splitlines()
        return [line for line in lines if line.strip(" ^~")]

    def fault_of(self, check: dict[str, Any], outcome: Outcome) -> str:
        """Return what is wrong with what came of a check, if anything."""
        if outcome.text.startswith("Internal error, reference"):
            return "it failed inside"
        if outcome.failed != check.get("isError", False):
            return "it failed" if outcome.failed else "it did not fail"
        if outcome.data != check.get("code", outcome.data):
            return "the code differs"
        kind = check.get("list")
        if kind and outcome.data != CATALOG[kind]:
            return f"the list differs: {shown(outcome.data)}"
        if Schema(check.get("text", True)).faults(outcome.text):
            return "the text differs"
        return ""

    async def ask(self, check: dict[str, Any]) -> Outcome:
        """Return what comes of the request of a check."""
        answer = await self.response(check["method"], check["params"])
        if error := answer.get("error"):
            return Outcome(error["message"], error["code"], failed=True)
        result = answer["result"]
        if kind := check.get("list"):
            names = ", ".join(entry["name"] for entry in result[kind])
            return Outcome(names, result[kind])
        text = "\n".join(b.get("text", b["type"]) for b in result["content"])
        data = result.get("structuredContent", parsed(text))
        return Outcome(text, data, result.get("isError", False))

    async def call(self, tool: str, /, **arguments: Any) -> Outcome:
        """Return what comes of a call."""
        params = {"name": tool, "arguments": arguments}
        return await self.ask({"method": "tools/call", "params": params})


def parsed(text: str) -> Any:
    """Return the value of a text that is JSON, else the text."""
    try:
        return json.loads(text, parse_constant=str)  # NaN is not JSON.
    except ValueError:
        return text


def shown(value: object) -> str:
    return f"{json.dumps(value, ensure_ascii=False):.{MAX_SHOWN}}"


class Anything(Result, extra="allow"):
    """A result as it comes: the client's types drop what they do not know."""


@asynccontextmanager
async def connected(
    server: Any, mode: str = "auto", log: Path = Path(os.devnull)
) -> AsyncGenerator[Connection]:
    """Connect to a server, or a transport that leads to one. Raises ConnectionError."""
    connection = Connection(server, mode, log)
    try:
        async with connection.client:
            connection.version = connection.client.protocol_version
            yield connection
    # The SDK groups whatever is raised.
    except (ExceptionGroup, MCPError, OSError) as group:
        error = first(group)
        if isinstance(error, (MCPError, OSError)):
            lines = [str(error).partition("\n")[0], *connection.logged()[-MAX_LOG:]]
            raise ConnectionError("\n".join(lines)) from error
        raise error from None


@asynccontextmanager
async def started(
    mode: str = "auto", environment: Mapping[str, str] = os.environ
) -> AsyncGenerator[Connection]:
    """Start a server, which logs nothing but warnings, and connect to it."""
    with (
        TemporaryDirectory() as folder,
        TextIOWrapper(FileIO(f"{folder}/log", "w")) as log,
    ):
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "library", "--toolsets", "all", "--log-level", "warning"],
            env={**environment},
        )
        transport = stdio_client(server, log)
        async with connected(transport, mode, Path(log.name)) as connection:
            yield connection


def main(parser: ArgumentParser) -> None:
    """Make one call or all checks, as the command line says, and end the process."""
    options = parser.parse_intermixed_args()
    if options.call and (options.call != "call" or not options.tool):
        parser.error("write `call TOOL NAME=VALUE`")
    if options.tool and options.tool not in TOOLS:
        parser.error(f"there is no tool `{options.tool}`; there are {', '.join(TOOLS)}")
    arguments = arguments_in(parser, options) if options.call else {}
    # Not all terminals have all letters.
    output = os.fdopen(os.dup(1), "w", 1, sys.stdout.encoding, "replace")
    os.dup2(2, 1)  # What handlers print is no result.
    try:
        code = asyncio.run(run(options, arguments, output))
        gc.freeze()  # At its end, Python would look through all that is left.
        sys.exit(code)
    except (ConnectionError, SettingsError) as error:
        sys.exit(f"FAIL {error}")


async def run(options: Namespace, arguments: dict[str, Any], output: TextIO) -> int:
    """Make one call or all checks, and return the exit code."""
    with trial(options.real) as tried:
        async with reached(options, tried.variables) as server:
            if options.call:
                outcome = await server.call(options.tool, **arguments)
                if outcome.failed and tried.made_up:
                    print(
                        f"made up: {tried.made_up}; --real uses yours", file=sys.stderr
                    )
                print(outcome.text, file=output)
                return int(outcome.failed)
            print(f"ok   speaks {server.version}", file=output)
            ends = set[str]()
            for number in range(len(CHECKS)):
                end, text = await server.check(number)
                print(f"{end:4} {text}", file=output)
                ends.add(end)
            return int("FAIL" in ends)


def reached(
    options: Namespace, variables: Mapping[str, str]
) -> AbstractAsyncContextManager[Connection]:
    """Connect to the server."""
    mode = "legacy" if options.legacy else "auto"
    if options.call:  # In this process, a server starts in half the time.
        os.environ.update(variables)
        from .server import create_server

        return connected(create_server(), mode)
    return started(mode, variables)


def arguments_in(parser: ArgumentParser, options: Namespace) -> dict[str, Any]:
    """Return the arguments in words such as `day=14`, or in a JSON object.

    A value is JSON, or a text if only that fits the schema. A list can have a word for
    each item.
    """
    if options.values and isinstance(whole := parsed(options.values[0]), dict):
        return cast("dict[str, Any]", whole)
    schema: dict[str, Any] = {**TOOLS[options.tool]["inputSchema"], "required": []}
    arguments: dict[str, Any] = {}
    for word in options.values:
        name, is_pair, text = word.partition("=")
        if not is_pair:
            parser.error(f"{word} is neither NAME=VALUE nor a JSON object")
        data = parsed(text)
        values = (data, text, [data], [text])
        fitting = (v for v in values if not Schema(schema).faults({name: v}))
        value = next(fitting, data)
        if name in arguments and isinstance(value, list):
            value = arguments[name] + value
        arguments[name] = value
    return arguments
