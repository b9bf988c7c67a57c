# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Try the server as a client does: handshake, lists, every example, the error paths.

`python client.py` starts the server and tries it.
`python client.py --url http://127.0.0.1:8000/mcp` (or `http://127.0.0.1:8000/sse`) tries a running server.
`python client.py call TOOL '{"name": "value"}'` makes one call.
`--wire` shows all messages, `--full` whole texts; `--protocol` sets the protocol version.

For more, use the official Inspector:
`npx @modelcontextprotocol/inspector uv run conformance --transport stdio`
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
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import Transport
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
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


EXAMPLES = [
    Example(
        tool="test_simple_text",
        name="call",
        arguments={},
    ),
    Example(
        tool="test_image_content",
        name="call",
        arguments={},
    ),
    Example(
        tool="test_audio_content",
        name="call",
        arguments={},
    ),
    Example(
        tool="test_embedded_resource",
        name="call",
        arguments={},
    ),
    Example(
        tool="test_resource_link",
        name="call",
        arguments={},
    ),
    Example(
        tool="test_multiple_content_types",
        name="call",
        arguments={},
    ),
    Example(
        tool="test_error_handling",
        name="call",
        arguments={},
        is_error=True,
    ),
    Example(
        tool="test_tool_with_logging",
        name="call",
        arguments={},
    ),
    Example(
        tool="test_tool_with_progress",
        name="call",
        arguments={},
    ),
    Example(
        tool="test_reconnection",
        name="call",
        arguments={},
    ),
    Example(
        tool="test_logging_tool",
        name="call",
        arguments={},
    ),
    Example(
        tool="json_schema_2020_12_tool",
        name="by phone",
        arguments={"contactMethod": "phone", "phone": "1"},
    ),
    Example(
        tool="json_schema_2020_12_tool",
        name="no address",
        arguments={"name": "Alice"},
        is_error=True,
    ),
    Example(
        tool="test_x_mcp_header",
        name="call",
        arguments={"region": "north"},
    ),
    Example(
        tool="test_trigger_tool_change",
        name="call",
        arguments={},
    ),
    Example(
        tool="test_trigger_prompt_change",
        name="call",
        arguments={},
    ),
    Example(
        tool="test_trigger_resource_change",
        name="call",
        arguments={},
    ),
    Example(
        tool="test_trigger_resource_update",
        name="call",
        arguments={},
    ),
]

# Arguments made up from the schema, for tools without examples.
SAMPLES: dict[str, dict[str, Any]] = {
    "test_sampling": {"prompt": "example"},
    "test_elicitation": {"message": "example"},
    "test_elicitation_sep1034_defaults": {},
    "test_elicitation_sep1330_enums": {},
    "test_streaming_elicitation": {},
    "test_missing_capability": {},
    "test_input_required_result_elicitation": {},
    "test_input_required_result_sampling": {},
    "test_input_required_result_list_roots": {},
    "test_input_required_result_request_state": {},
    "test_input_required_result_tampered_state": {},
    "test_input_required_result_multiple_inputs": {},
    "test_input_required_result_multi_round": {},
    "test_input_required_result_capabilities": {},
    "test_coming_and_going": {},
}

# Arguments that do not fit the schema of their tool.
INVALID: dict[str, dict[str, Any]] = {
    "test_simple_text": {"no_such_argument": True},
    "test_image_content": {"no_such_argument": True},
    "test_audio_content": {"no_such_argument": True},
    "test_embedded_resource": {"no_such_argument": True},
    "test_resource_link": {"no_such_argument": True},
    "test_multiple_content_types": {"no_such_argument": True},
    "test_error_handling": {"no_such_argument": True},
    "test_tool_with_logging": {"no_such_argument": True},
    "test_tool_with_progress": {"no_such_argument": True},
    "test_reconnection": {"no_such_argument": True},
    "test_logging_tool": {"no_such_argument": True},
    "json_schema_2020_12_tool": {},
    "test_x_mcp_header": {},
    "test_sampling": {},
    "test_elicitation": {},
    "test_elicitation_sep1034_defaults": {"no_such_argument": True},
    "test_elicitation_sep1330_enums": {"no_such_argument": True},
    "test_streaming_elicitation": {"no_such_argument": True},
    "test_missing_capability": {"no_such_argument": True},
    "test_input_required_result_elicitation": {"no_such_argument": True},
    "test_input_required_result_sampling": {"no_such_argument": True},
    "test_input_required_result_list_roots": {"no_such_argument": True},
    "test_input_required_result_request_state": {"no_such_argument": True},
    "test_input_required_result_tampered_state": {"no_such_argument": True},
    "test_input_required_result_multiple_inputs": {"no_such_argument": True},
    "test_input_required_result_multi_round": {"no_such_argument": True},
    "test_input_required_result_capabilities": {"no_such_argument": True},
    "test_trigger_tool_change": {"no_such_argument": True},
    "test_trigger_prompt_change": {"no_such_argument": True},
    "test_trigger_resource_change": {"no_such_argument": True},
    "test_trigger_resource_update": {"no_such_argument": True},
    "test_coming_and_going": {"no_such_argument": True},
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
        noun = "handler" + ("s" if len(stubs) > 1 else "")
        print(f"{len(stubs)} {noun} to write: {', '.join(stubs)}")
    return int(tour.failed)


def connect(options: argparse.Namespace) -> Client:
    transport = transport_to(options.url)
    version = options.protocol or "auto"
    return Client(
        shown(transport, options) if options.wire or options.protocol else transport,
        mode="legacy" if version in HANDSHAKE_PROTOCOL_VERSIONS else version,
    )


def transport_to(url: str | None) -> Transport:
    if url is None:
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "conformance", "--transport", "stdio"],
            env=dict(os.environ),
        )
        return stdio_client(server)
    if url.rstrip("/").endswith("/sse"):
        return sse_client(url)
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
    async with Client(server) as client:
        return await Tour(client).outcome(example)


async def listed(server: Any) -> list[str]:
    """Return the names of the tools that a new client sees. Tests use it."""
    async with Client(server) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


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
        self.names = [tool.name for tool in tools.tools]
        self.show(True, f"tools: {', '.join(self.names)}")
        resources = await self.client.list_resources()
        uris = [resource.uri for resource in resources.resources]
        self.show(True, f"resources: {', '.join(uris)}")
        for uri in uris:
            try:
                await self.client.read_resource(uri)
                self.show(True, f"{uri} is there")
            except MCPError as error:
                if error.message == f"{uri} is not implemented yet":
                    self.show_stub(uri)
                    continue
                self.show(False, f"{uri}: {error.message}")
        templates = await self.client.list_resource_templates()
        uris = [template.uri_template for template in templates.resource_templates]
        self.show(True, f"resource templates: {', '.join(uris)}")
        prompts = await self.client.list_prompts()
        names = [prompt.name for prompt in prompts.prompts]
        self.show(True, f"prompts: {', '.join(names)}")

    async def examples(self) -> None:
        print("Examples")
        for example in EXAMPLES:
            if example.tool not in self.names:
                self.show(True, f"{example}: hidden now")
                continue
            try:
                result = await self.outcome(example)
            except MCPError as error:
                self.show(False, f"{example}: {error}")
            else:
                self.judge(str(example), example.tool, result, example.is_error)
        print("     no examples for 15 of 32 tools: add some to mcp.yaml")
        for tool, arguments in SAMPLES.items():
            step = f"{tool}: {cut(json.dumps(arguments), self.full)}"
            if tool not in self.names:
                self.show(True, f"{step}: hidden now")
                continue
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
            if tool not in self.names:
                continue
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
