# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Try the server as a client does: handshake, lists, every example, the error paths.

`python client.py` starts the server and tries it.
`python client.py call TOOL '{"name": "value"}'` makes one call.
`--wire` shows all messages, `--full` whole texts; `--protocol` sets the protocol version.

For more, use the official Inspector:
`npx @modelcontextprotocol/inspector uv run library`
"""

import argparse
import json
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import Transport
from mcp.client.stdio import stdio_client
from mcp.shared.message import SessionMessage
from mcp_types import CallToolResult, EmptyResult, Request
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, KNOWN_PROTOCOL_VERSIONS


@dataclass(frozen=True)
class Example:
    """A call, and whether it should fail."""

    tool: str
    name: str
    arguments: dict[str, Any]
    is_error: bool = False

    def __str__(self) -> str:
        return f"{self.tool}: {self.name}"


EXAMPLES: list[Example] = []

# Arguments made up from the schema, for tools without examples.
SAMPLES: dict[str, dict[str, Any]] = {
    "search_books": {"q": "example"},
    "get_book": {"id": 1},
    "get_cover": {"id": 1},
    "get_receipt": {"id": 1},
}

# Arguments that do not fit the schema of their tool.
INVALID: dict[str, dict[str, Any]] = {
    "search_books": {},
    "get_book": {},
    "get_cover": {},
    "upload_cover": {},
    "borrow_book": {},
    "get_receipt": {},
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Try the server as a client does.")
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
    except* MCPError as errors:
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
    async with connect(options) as client:
        if options.command == "call":
            result = await client.call_tool(options.tool, options.arguments)
            print(text_of(result))
            return int(result.is_error)
        tour = Tour(client, options.full)
        await tour.handshake()
        await tour.lists()
        await tour.examples()
        await tour.error_paths()
    if stubs := tour.stubs:
        noun = "tool" + ("s" if len(stubs) > 1 else "")
        print(f"{len(stubs)} {noun} to write: {', '.join(stubs)}")
    return int(tour.failed)


def connect(options: argparse.Namespace) -> Client:
    transport = transport_to()
    version = options.protocol or "auto"
    return Client(
        shown(transport, options) if options.wire or options.protocol else transport,
        mode="legacy" if version in HANDSHAKE_PROTOCOL_VERSIONS else version,
    )


def transport_to() -> Transport:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "library"],
        env=dict(os.environ),
    )
    return stdio_client(server)


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
    async with Client(server) as client:
        return await Tour(client).outcome(example)


class Tour:
    """The stages; each step is shown when it is done."""

    def __init__(self, client: Client, full: bool = False) -> None:
        self.client = client
        self.full = full
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
            except MCPError as error:
                self.show(False, f"{example}: {error}")
            else:
                self.judge(str(example), example.tool, result, example.is_error)
        print("     no examples: add some to mcp.yaml")
        for tool, arguments in SAMPLES.items():
            step = f"{tool}: {cut(json.dumps(arguments), self.full)}"
            self.judge(step, tool, await self.client.call_tool(tool, arguments))

    async def outcome(self, example: Example) -> CallToolResult:
        return await self.client.call_tool(example.tool, example.arguments)

    def judge(
        self, step: str, tool: str, result: CallToolResult, is_error: bool | None = None
    ) -> None:
        """Show a result; `is_error` says whether it should be one, None if it may be."""
        text = text_of(result)
        if result.is_error and text == f"{tool} is not implemented yet":
            return self.show_stub(tool)
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


def text_of(result: CallToolResult) -> str:
    return "\n".join(getattr(item, "text", item.type) for item in result.content)


if __name__ == "__main__":
    main()
