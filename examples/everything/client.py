# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Try the server as a client does: handshake, lists, every example, the error paths.

`python client.py` starts the server and tries it.
`python client.py --url http://127.0.0.1:3000/mcp` (or `http://127.0.0.1:3000/sse`) tries a running server.
`python client.py call TOOL '{"name": "value"}'` makes one call.
`--wire` shows all messages, `--full` whole texts; `--protocol` sets the protocol version.

For more, use the official Inspector:
`npx @modelcontextprotocol/inspector uv run everything`
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
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    CallToolResult,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequestParams,
    ElicitResult,
    EmptyResult,
    ErrorData,
    Request,
    TextContent,
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
    texts: Sequence[str] = ()
    """What the client's model answers."""
    is_error: bool = False

    def __str__(self) -> str:
        return f"{self.tool}: {self.name}"


EXAMPLES = [
    Example(
        tool="kotlin-sdk-tool",
        name="greeting",
        arguments={},
    ),
    Example(
        tool="colour.describe",
        name="by name",
        arguments={"colour": "teal"},
    ),
    Example(
        tool="colour.describe",
        name="by number",
        arguments={"colour": "#663399"},
    ),
    Example(
        tool="colour.describe",
        name="unknown",
        arguments={"colour": "octarine"},
        is_error=True,
    ),
    Example(
        tool="find_colours",
        name="some",
        arguments={"name-contains": "re"},
    ),
    Example(
        tool="find_colours",
        name="none",
        arguments={"name-contains": "zz"},
    ),
    Example(
        tool="make_gradient",
        name="black to white",
        arguments={"stops": [[0, "black"], [1, "white"]], "steps": 3},
    ),
    Example(
        tool="make_gradient",
        name="out of order",
        arguments={"stops": [[1, "black"], [0, "white"]]},
        is_error=True,
    ),
    Example(
        tool="make_gradient",
        name="not a pair",
        arguments={"stops": [[0, "black", "white"], [1, "white"]]},
        is_error=True,
    ),
    Example(
        tool="show_colour",
        name="teal",
        arguments={"colour": "teal"},
    ),
    Example(
        tool="show_colour",
        name="the one described",
        arguments={"colour": "${by number.hex}"},
    ),
    Example(
        tool="play_colour",
        name="teal",
        arguments={"colour": "teal", "seconds": 0.1},
    ),
    Example(
        tool="make_colour_card",
        name="teal",
        arguments={"colour": "teal"},
    ),
    Example(
        tool="name_colour",
        name="a new name",
        arguments={"name": "ink", "colour": "#101030"},
    ),
    Example(
        tool="wait",
        name="a moment",
        arguments={"seconds": 0.1},
    ),
    Example(
        tool="wait",
        name="too long",
        arguments={"seconds": 60},
        is_error=True,
    ),
    Example(
        tool="suggest_colour",
        name="for a door",
        arguments={},
        forms=[{"purpose": "a front door", "dark": True}],
        texts=["Teal"],
    ),
    Example(
        tool="suggest_colour",
        name="for nothing",
        arguments={},
        forms=["decline"],
    ),
    Example(
        tool="suggest_colour",
        name="unheard of",
        arguments={},
        forms=[{"purpose": "a wizard's hat"}],
        texts=["octarine"],
        is_error=True,
    ),
]

# Arguments that do not fit the schema of their tool.
INVALID: dict[str, dict[str, Any]] = {
    "colour.describe": {},
    "find_colours": {},
    "make_gradient": {},
    "show_colour": {},
    "play_colour": {},
    "make_colour_card": {},
    "name_colour": {},
    "wait": {},
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
        noun = "handler" + ("s" if len(stubs) > 1 else "")
        print(f"{len(stubs)} {noun} to write: {', '.join(stubs)}")
    return int(tour.failed)


class Person:
    """Answers the questions of tools, as their examples say."""

    def __init__(self) -> None:
        self.forms: list[dict[str, Any] | str] = []
        self.texts: list[str] = []

    async def fill_in(
        self, context: object, params: ElicitRequestParams
    ) -> ElicitResult:
        form = self.forms.pop(0) if self.forms else "cancel"
        if isinstance(form, str):
            return ElicitResult.model_validate({"action": form})
        return ElicitResult(action="accept", content=form)

    async def sample(
        self, context: object, params: CreateMessageRequestParams
    ) -> CreateMessageResult | ErrorData:
        if not self.texts:
            return ErrorData(
                code=INVALID_REQUEST, message="The example has no text left"
            )
        text = TextContent(text=self.texts.pop(0))
        return CreateMessageResult(role="assistant", content=text, model="example")


def connect(options: argparse.Namespace, person: Person) -> Client:
    transport = transport_to(options.url)
    version = options.protocol or "auto"
    return Client(
        shown(transport, options) if options.wire or options.protocol else transport,
        mode="legacy" if version in HANDSHAKE_PROTOCOL_VERSIONS else version,
        elicitation_callback=person.fill_in,
        sampling_callback=person.sample,
    )


def transport_to(url: str | None) -> Transport:
    if url is None:
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "everything", "--transport", "stdio"],
            env=dict(os.environ),
        )
        return stdio_client(server)
    token = os.environ.get("EVERYTHING_TOKEN")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if url.rstrip("/").endswith("/sse"):
        return sse_client(url, headers)
    http = httpx2.AsyncClient(
        headers=headers,
        timeout=httpx2.Timeout(30, read=300),
        event_hooks={"response": [check_token]},
    )
    return streamable_http_client(url, http_client=http)


async def check_token(response: httpx2.Response) -> None:
    """Raise an error if the token is refused, which the SDK does not report."""
    if response.status_code == 401:
        response.raise_for_status()


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
        sampling_callback=person.sample,
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
        self.person.texts = [*example.texts]
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
