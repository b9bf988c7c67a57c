# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Try the server as a client does: handshake, lists, every example, the error paths.

`python client.py` starts the server and tries it.
`python client.py --url http://127.0.0.1:8000/mcp` tries a running server.
`python client.py call TOOL '{"name": "value"}'` makes one call.
`--wire` shows all messages, `--full` whole texts; `--protocol` sets the protocol version.

For more, use the official Inspector:
`npx @modelcontextprotocol/inspector uv run expenses`
"""

import argparse
import json
import os
import re
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import Transport
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import (
    CallToolResult,
    ElicitRequestParams,
    ElicitResult,
    EmptyResult,
    Request,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, KNOWN_PROTOCOL_VERSIONS

Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | None"


@dataclass(frozen=True)
class Example:
    """A call, and whether it should fail."""

    tool: str
    name: str
    arguments: dict[str, Any]
    forms: Sequence[dict[str, Any] | str] = ()
    """What the user fills in, or "decline" or "cancel"."""
    is_error: bool = False

    def __str__(self) -> str:
        return f"{self.tool}: {self.name}"


EXAMPLES = [
    Example(
        tool="get_rate",
        name="dollars",
        arguments={"currency": "USD", "day": "2026-03-02"},
    ),
    Example(
        tool="get_rate",
        name="no such currency",
        arguments={"currency": "XXX", "day": "2026-03-02"},
        is_error=True,
    ),
    Example(
        tool="add_expense",
        name="lunch",
        arguments={
            "person": "Ann",
            "day": "2026-03-02",
            "amount": 12.5,
            "currency": "USD",
            "category": "meals",
            "note": "With a customer",
        },
    ),
    Example(
        tool="add_expense",
        name="train",
        arguments={
            "person": "Ben",
            "day": "2026-03-03",
            "amount": 48,
            "currency": "EUR",
            "category": "travel",
        },
    ),
    Example(
        tool="add_expense",
        name="a day that does not exist",
        arguments={
            "person": "Ann",
            "day": "2026-02-30",
            "amount": 5,
            "currency": "EUR",
            "category": "meals",
        },
        is_error=True,
    ),
    Example(
        tool="attach_receipt",
        name="photo of the bill",
        arguments={
            "expense": "${lunch.expense}",
            "media_type": "image/png",
            "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==",
        },
    ),
    Example(
        tool="attach_receipt",
        name="text in disguise",
        arguments={
            "expense": "${lunch.expense}",
            "media_type": "image/png",
            "data": "aGVsbG8=",
        },
        is_error=True,
    ),
    Example(
        tool="attach_receipt",
        name="not base64",
        arguments={
            "expense": "${lunch.expense}",
            "media_type": "image/png",
            "data": "hello!",
        },
        is_error=True,
    ),
    Example(
        tool="approve_expense",
        name="fine",
        arguments={"expense": "${lunch.expense}"},
        forms=[{"approve": True}],
    ),
    Example(
        tool="approve_expense",
        name="too much",
        arguments={"expense": "${lunch.expense}"},
        forms=[{"approve": False, "reason": "Lunch is not on us."}],
    ),
    Example(
        tool="approve_expense",
        name="not now",
        arguments={"expense": "${lunch.expense}"},
        forms=["decline"],
    ),
    Example(
        tool="approve_expense",
        name="nothing to approve",
        arguments={"expense": 999999},
        is_error=True,
    ),
    Example(
        tool="convert_expenses",
        name="March",
        arguments={"month": "2026-03"},
    ),
    Example(
        tool="summarize_expenses",
        name="March in euros",
        arguments={"month": "2026-03"},
    ),
    Example(
        tool="summarize_expenses",
        name="no such month",
        arguments={"month": "2026-13"},
        is_error=True,
    ),
]

# Arguments that do not fit the schema of their tool.
INVALID: dict[str, dict[str, Any]] = {
    "get_rate": {},
    "add_expense": {},
    "attach_receipt": {},
    "approve_expense": {},
    "convert_expenses": {},
    "summarize_expenses": {},
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Try the server as a client does.")
    parser.add_argument(
        "--url",
        help="a running server (…/mcp or …/sse), instead of a new one",
    )
    parser.add_argument(
        "--protocol", choices=KNOWN_PROTOCOL_VERSIONS, help="the protocol version"
    )
    parser.add_argument("--wire", action="store_true", help="show all messages")
    parser.add_argument("--full", action="store_true", help="show whole texts")
    commands = parser.add_subparsers(dest="command")
    call = commands.add_parser("call", help="make one call and print its result")
    call.add_argument("tool")
    call.add_argument("arguments", type=json_object, help="a JSON object")
    options = parser.parse_args()
    status: int | str
    try:
        status = anyio.run(run, options)
    except* (MCPError, httpx2.HTTPError) as errors:
        status = f"FAIL {reason(errors)}"
    except* BrokenPipeError:  # Nobody reads the rest, as with `| head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status)


def json_object(text: str) -> dict[str, Any]:
    return dict(json.loads(text))


def reason(error: BaseException) -> BaseException:
    """Return the first error inside nested exception groups."""
    match error:
        case BaseExceptionGroup(exceptions=[first, *_]):
            return reason(first)
        case _:
            return error


async def run(options: argparse.Namespace) -> int:
    person = Person()
    async with connect(options, person) as client:
        if options.command == "call":
            result = await client.call_tool(options.tool, options.arguments)
            print(text_of(result))
            return int(result.is_error)
        tour = Tour(client, person, options.full)
        await tour.handshake()
        await tour.lists()
        await tour.examples()
        await tour.error_paths()
    if stubs := tour.stubs:
        noun = "tool" + ("s" if len(stubs) > 1 else "")
        print(f"{len(stubs)} {noun} to write: {', '.join(stubs)}")
    return int(tour.failed)


class Person:
    """Answers the questions of tools, as their examples say."""

    def __init__(self) -> None:
        self.forms: list[dict[str, Any] | str] = []

    async def fill_in(
        self, context: object, params: ElicitRequestParams
    ) -> ElicitResult:
        form = self.forms.pop(0) if self.forms else "cancel"
        if isinstance(form, str):
            return ElicitResult.model_validate({"action": form})
        return ElicitResult(action="accept", content=form)


def connect(options: argparse.Namespace, person: Person) -> Client:
    transport = transport_to(options.url)
    version = options.protocol or "auto"
    return Client(
        shown(transport, options) if options.wire or options.protocol else transport,
        mode="legacy" if version in HANDSHAKE_PROTOCOL_VERSIONS else version,
        elicitation_callback=person.fill_in,
    )


def transport_to(url: str | None) -> Transport:
    if url is None:
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "expenses", "--transport", "stdio"],
            env=dict(os.environ),
        )
        return stdio_client(server)
    return streamable_http_client(url)


@asynccontextmanager
async def shown(
    transport: Transport, options: argparse.Namespace
) -> AsyncGenerator[tuple[Any, Any]]:
    """Yield a transport that shows its messages, and asks for the `--protocol` version."""
    to_client, from_server = anyio.create_memory_object_stream[Any]()
    to_server, from_client = anyio.create_memory_object_stream[Any]()
    methods: dict[tuple[str, Any], str] = {}

    def show(arrow: str, message: dict[str, Any]) -> None:
        number, method = message.get("id"), message.get("method")
        # A response goes the opposite way of its request.
        asker = arrow if method else "→←".replace(arrow, "")
        methods.setdefault((asker, number), method or "?")
        part = next(
            (key for key in ("params", "result", "error") if key in message), ""
        )
        body = cut(json.dumps(message.get(part, {}), ensure_ascii=False), options.full)
        print(
            arrow,
            "-" if number is None else number,
            method or methods.pop((asker, number)),
            part,
            body,
        )

    async def pass_on(arrow: str, source: Any, target: Any) -> None:
        async with source, target:
            async for item in source:
                if isinstance(item, SessionMessage):
                    message = item.message.model_dump(
                        mode="json", by_alias=True, exclude_unset=True
                    )
                    if message.get("method") == "initialize" and options.protocol:
                        message["params"]["protocolVersion"] = options.protocol
                        item = replace(
                            item, message=type(item.message).model_validate(message)
                        )
                    if options.wire:
                        show(arrow, message)
                await target.send(item)

    async with transport as (read, write), anyio.create_task_group() as tasks:
        tasks.start_soon(pass_on, "←", read, to_client)
        tasks.start_soon(pass_on, "→", from_client, write)
        yield from_server, to_server
        tasks.cancel_scope.cancel()


def cut(text: str, full: bool) -> str:
    return text if full else f"{' '.join(text.split()):.60}"


async def outcome(server: Any, example: Example) -> CallToolResult:
    """Return the result of an example, called by a new client. Tests use it."""
    person = Person()
    async with Client(
        server,
        elicitation_callback=person.fill_in,
    ) as client:
        return await Tour(client, person).outcome(example)


class Tour:
    """The stages; each step is shown when it is done."""

    def __init__(self, client: Client, person: Person, full: bool = False) -> None:
        self.client = client
        self.person = person
        self.full = full
        self.found: dict[str, Any] = {}
        self.failed = False
        self.stubs: list[str] = []

    def show(self, passed: bool, step: str) -> None:
        print("ok  " if passed else "FAIL", step)
        self.failed = self.failed or not passed

    def show_stub(self, name: str) -> None:
        if name not in self.stubs:
            print("todo", f"{name}: to be written")
            self.stubs.append(name)

    async def handshake(self) -> None:
        print("Handshake")
        info = self.client.server_info
        name = f"{info.name} {info.version}" if info else "a server without a name"
        self.show(True, f"{name}, protocol {self.client.protocol_version}")

    async def lists(self) -> None:
        print("Lists")
        tools = await self.client.list_tools()
        self.show(True, f"tools: {', '.join(tool.name for tool in tools.tools)}")

    async def examples(self) -> None:
        print("Examples")
        for example in EXAMPLES:
            try:
                result = await self.outcome(example)
            except (LookupError, MCPError) as error:
                self.show(False, f"{example}: {error}")
            else:
                self.judge(str(example), example.tool, result, example.is_error)

    async def outcome(self, example: Example) -> CallToolResult:
        """Call the tool of an example, after the examples whose results it needs."""
        for name in re.findall(
            r'"\$\{([^.{}]+)\.[^{}"]+\}"', json.dumps(example.arguments)
        ):
            if name not in self.found:
                earlier = next(
                    e for e in EXAMPLES if name in (e.name, e.tool) and not e.is_error
                )
                result = await self.outcome(earlier)
                if result.is_error:
                    return result
        arguments = filled_in(example.arguments, self.found)
        self.person.forms = [*example.forms]
        result = await self.client.call_tool(example.tool, arguments)
        if not result.is_error:
            for name in (example.name, example.tool):
                self.found.setdefault(name, result.structured_content)
        return result

    def judge(
        self, step: str, tool: str, result: CallToolResult, is_error: bool | None = None
    ) -> None:
        """Show a result; `is_error` says whether it should be one, None if it may be."""
        text = text_of(result)
        for stub in (tool, *(example.tool for example in EXAMPLES)):
            if result.is_error and text == f"{stub} is not implemented yet":
                return self.show_stub(stub)
        failed = result.is_error and text.startswith("Internal error, reference")
        passed = not failed and is_error in (None, result.is_error)
        self.show(passed, f"{step} → {cut(text, self.full)}")

    async def error_paths(self) -> None:
        print("Error paths")
        for tool, arguments in INVALID.items():
            result = await self.client.call_tool(tool, arguments)
            refused = result.is_error and "Invalid arguments" in text_of(result)
            self.show(refused, f"invalid arguments for {tool} are refused")
        try:
            await self.client.call_tool("no_such_tool", {})
            self.show(False, "an unknown tool is refused")
        except MCPError as error:
            self.show(error.code == -32602, f"an unknown tool: {error.message}")
        try:
            request = Request[None, str](method="no/such/method", params=None)
            await self.client.session.send_request(request, EmptyResult)
            self.show(False, "an unknown method is refused")
        except MCPError as error:
            self.show(error.code == -32601, f"an unknown method: {error.message}")


def filled_in(value: Json, found: dict[str, Any]) -> Any:
    """Return a copy with parts of results for texts such as `${search.hits.0.source}`."""
    if isinstance(value, dict):
        return {key: filled_in(item, found) for key, item in value.items()}
    if isinstance(value, list):
        return [filled_in(item, found) for item in value]
    if not (isinstance(value, str) and re.fullmatch(r"\$\{[^.{}]+\.[^{}]+\}", value)):
        return value
    name, *path = value[2:-1].split(".")
    part = found[name]
    try:
        for key in path:
            part = part[int(key) if isinstance(part, list) else key]
    except (LookupError, TypeError, ValueError):
        raise LookupError(f"the result of {name} has no {'.'.join(path)}") from None
    return part


def text_of(result: CallToolResult) -> str:
    return "\n".join(getattr(item, "text", item.type) for item in result.content)


if __name__ == "__main__":
    main()
