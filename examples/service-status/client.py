# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Try the server as a client does: handshake, lists, every example, the error paths.

`python client.py` starts the server and talks to it,
`python client.py call TOOL '{"name": "value"}'` makes one call.
"""

import argparse
import json
import os
import sys
from dataclasses import dataclass
from typing import Any

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import CallToolResult, EmptyResult, Request


@dataclass(frozen=True)
class Example:
    """A call, and whether it is to fail."""

    tool: str
    name: str
    arguments: dict[str, Any]
    is_error: bool = False

    def __str__(self) -> str:
        return f"{self.tool}: {self.name}"


EXAMPLES = [
    Example(
        tool="get_status",
        name="a service that is up",
        arguments={"service": "billing"},
    ),
    Example(
        tool="get_status",
        name="a service that nobody knows",
        arguments={"service": "teleport"},
        is_error=True,
    ),
]

# Arguments that break the schema of their tool.
INVALID: dict[str, dict[str, Any]] = {
    "get_status": {},
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Try the server as a client does.")
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
    sys.exit(status)


def json_object(text: str) -> dict[str, Any]:
    return dict(json.loads(text))


def reason(error: BaseException) -> BaseException:
    """The first error in groups of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def run(options: argparse.Namespace) -> int:
    async with connect() as client:
        if options.command == "call":
            result = await client.call_tool(options.tool, options.arguments)
            print(text_of(result))
            return int(result.is_error)
        tour = Tour(client)
        await tour.handshake()
        await tour.lists()
        await tour.examples()
        await tour.error_paths()
    if stubs := tour.stubs:
        noun = "tool" + ("s" if len(stubs) > 1 else "")
        print(f"{len(stubs)} {noun} to write: {', '.join(stubs)}")
    return int(tour.failed)


def connect() -> Client:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "service_status"],
        env=dict(os.environ),
    )
    return Client(server)


class Tour:
    """The stages, each step shown as it is done."""

    def __init__(self, client: Client) -> None:
        self.client = client
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
            await self.call(
                str(example), example.tool, example.arguments, example.is_error
            )

    async def call(
        self,
        step: str,
        tool: str,
        arguments: dict[str, Any],
        is_error: bool | None = None,
    ) -> None:
        """Make a call, which is to end as `is_error` says, if it says."""
        result = await self.client.call_tool(tool, arguments)
        text = text_of(result)
        if result.is_error and text == f"{tool} is not implemented yet":
            return self.show_stub(tool)
        failed = result.is_error and text.startswith("Internal error, reference")
        passed = not failed and is_error in (None, result.is_error)
        self.show(passed, f"{step} → {' '.join(text.split()):.60}")

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
