# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Try the server as a client does: handshake, lists, every example, the error paths.

`python client.py` starts the server and talks to it,
`python client.py --url http://127.0.0.1:8000/mcp` talks to one that runs,
`python client.py --url http://127.0.0.1:8000/sse` talks to one that runs,
`python client.py call TOOL '{"name": "value"}'` makes one call.
"""

import argparse
import json
import os
import sys
from dataclasses import dataclass
from typing import Any

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
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
        tool="search_blog",
        name="a question",
        arguments={"query": "How do I stop a server without losing requests?"},
    ),
    Example(
        tool="search_blog",
        name="two hits",
        arguments={"query": "retry with backoff", "top_k": 2},
    ),
    Example(
        tool="search_blog",
        name="no hit",
        arguments={"query": "zeppelin"},
    ),
    Example(
        tool="search_blog",
        name="too many",
        arguments={"query": "backoff", "top_k": 21},
        is_error=True,
    ),
    Example(
        tool="read_chunk",
        name="the first chunk",
        arguments={"source": "timeouts.md", "chunk_index": 0},
    ),
    Example(
        tool="read_chunk",
        name="no such chunk",
        arguments={"source": "timeouts.md", "chunk_index": 99},
        is_error=True,
    ),
    Example(
        tool="read_chunk",
        name="no such post",
        arguments={"source": "../pyproject.toml", "chunk_index": 0},
        is_error=True,
    ),
]

# Arguments that break the schema of their tool.
INVALID: dict[str, dict[str, Any]] = {
    "search_blog": {},
    "read_chunk": {},
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Try the server as a client does.")
    parser.add_argument(
        "--url",
        help="a server that runs (…/mcp or …/sse); without it, one is started",
    )
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
    sys.exit(status)


def json_object(text: str) -> dict[str, Any]:
    return dict(json.loads(text))


def reason(error: BaseException) -> BaseException:
    """The first error in groups of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def run(options: argparse.Namespace) -> int:
    async with connect(options.url) as client:
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


def connect(url: str | None) -> Client:
    if url is None:
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "blog_search", "--transport", "stdio"],
            env=dict(os.environ),
        )
        return Client(server)
    token = os.environ.get("BLOG_SEARCH_TOKEN")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if url.rstrip("/").endswith("/sse"):
        return Client(sse_client(url, headers))
    http = httpx2.AsyncClient(
        headers=headers,
        timeout=httpx2.Timeout(30, read=300),
        event_hooks={"response": [check_token]},
    )
    return Client(streamable_http_client(url, http_client=http))


async def check_token(response: httpx2.Response) -> None:
    """Raise where the token is refused, of which the SDK would tell nothing."""
    if response.status_code == 401:
        response.raise_for_status()


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
