# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Try the server as a client does: lists, every example, the error paths.

`python client.py` starts the server and tries it.
`python client.py --url http://127.0.0.1:8000/mcp` tries a running server.
`python client.py call TOOL name=value` makes one call.

For more, use the official Inspector:
`npx @modelcontextprotocol/inspector uv run calculator`
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from typing import Any

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import Transport
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import METHOD_NOT_FOUND, CallToolResult, Request, Result

from calculator._generated.runtime.handlers import first
from calculator._generated.runtime.schema import Schema

CATALOG = json.loads((files("calculator._generated") / "catalog.json").read_bytes())
EXAMPLES: list[dict[str, Any]] = CATALOG.get("examples", [])
NOT_WRITTEN = "This is not written yet"


def main() -> None:
    parser = argparse.ArgumentParser(description="Try the server as a client does.")
    parser.add_argument(
        "--url", help="a running server (…/mcp or …/sse), instead of a new one"
    )
    parser.add_argument("--legacy", action="store_true", help="as before 2026-07-28")
    commands = parser.add_subparsers(dest="command")
    call = commands.add_parser("call", help="make one call and print its result")
    call.add_argument("tool")
    call.add_argument("arguments", nargs="*", help="NAME=VALUE, or a JSON object")
    options = parser.parse_args()
    if options.command == "call":
        try:
            options.arguments = typed(options.tool, options.arguments)
        except ValueError as error:
            parser.error(f"arguments: {error}")
    try:
        server = running(options.url) if options.url else started()
        sys.exit(asyncio.run(run(server, options)))
    except* (MCPError, httpx2.HTTPError) as errors:
        sys.exit(f"FAIL {first(errors)!r}")


async def run(server: Transport, options: argparse.Namespace) -> int:
    """Make all checks, or one call, and return the exit code."""
    async with connected(server, "legacy" if options.legacy else "auto") as checks:
        if options.command == "call":
            text, _, failed = await checks.call(options.tool, options.arguments)
            show(text)
            return int(failed)
        failed = False
        async for word, text in checks.all():
            show(f"{word:4} {text}")
            failed = failed or word == "FAIL"
        return int(failed)


def show(text: str) -> None:
    """Print a text: not all terminals have all letters."""
    encoding = sys.stdout.encoding
    print(text.encode(encoding, "replace").decode(encoding))


def typed(tool: str, words: list[str]) -> dict[str, Any]:
    """Return the arguments in words such as `days=14`, or in a JSON object.

    A word is a text if the schema says so, or if it is not JSON. A list has a word for
    each item.
    """
    if len(words) == 1 and words[0].startswith("{"):
        return dict(json.loads(words[0], parse_constant=str))
    schemas = {entry["name"]: entry["inputSchema"] for entry in CATALOG["tools"]}
    schema: dict[str, Any] = schemas.get(tool, {})
    shared = {**schema.get("definitions", {}), **schema.get("$defs", {})}

    def resolved(rule: Any, text: str) -> dict[str, Any]:
        found: dict[str, Any] = {} if rule in (None, True, False) else rule
        found = shared.get(found.get("$ref", "").rpartition("/")[2], found)
        # A choice between a value and null is that value, unless the word is null.
        choices = found.get("anyOf", found.get("oneOf", []))
        if choices[1:] == [{"type": "null"}] and text != "null":
            found = resolved(choices[0], text)
        return found

    def value(rule: dict[str, Any], text: str) -> Any:
        kind = rule.get("type")
        if kind == "string" or (kind == ["string", "null"] and text != "null"):
            return text
        if text in rule.get("enum", [rule.get("const")]):
            return text
        with suppress(ValueError):
            return json.loads(text, parse_constant=str)  # NaN is not JSON.
        return text

    arguments: dict[str, Any] = {}
    for word in words:
        name, is_pair, text = word.partition("=")
        if not is_pair:
            raise ValueError(f"{word} is neither NAME=VALUE nor a JSON object")
        rule = resolved(schema.get("properties", {}).get(name), text)
        if rule.get("type") != "array":
            arguments[name] = value(rule, text)
        elif text.startswith("["):
            arguments[name] = json.loads(text, parse_constant=str)
        else:
            item = value(resolved(rule.get("items"), text), text)
            arguments.setdefault(name, []).append(item)
    return arguments


def started(environment: Mapping[str, str] = os.environ) -> Transport:
    """Return a transport to a new server."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "calculator"], env={**environment}
    )
    return stdio_client(server)


def running(url: str, environment: Mapping[str, str] = os.environ) -> Transport:
    """Return a transport to a running server."""
    return streamable_http_client(url)


@asynccontextmanager
async def connected(server: Any, mode: str = "auto") -> AsyncGenerator["Checks"]:
    """Connect to a server, or to a transport that leads to one, and yield its checks."""
    async with Client(server, mode=mode) as client:
        yield Checks(client)


class Anything(Result, extra="allow"):
    """A result as it comes: the client's types drop what they do not know."""


def text_of(result: CallToolResult) -> str:
    return "\n".join(getattr(one, "text", one.type) for one in result.content)


class Checks:
    """Checks of the server against its spec.

    A check returns a word, which is ok, todo, skip or FAIL, and what was checked.
    """

    def __init__(self, client: Client) -> None:
        self.client = client

    async def all(self) -> AsyncGenerator[tuple[str, str]]:
        """Make all checks, one after the other."""
        yield "ok", f"speaks {self.client.protocol_version}"
        yield await self.list_of("tools", "tools/list")
        yield await self.list_of("prompts", "prompts/list")
        yield await self.list_of("resources", "resources/list")
        for number in range(len(EXAMPLES)):
            yield await self.example(number)
        for tool, arguments in CATALOG.get("invalid", {}).items():
            text, _, _ = await self.call(tool, arguments)
            is_refused = text.startswith("Invalid arguments")
            yield checked(f"{tool} refuses wrong arguments", "" if is_refused else text)
        fault = "it was answered"
        try:
            await self.request("no/such/method")
        except MCPError as error:
            fault = "" if error.code == METHOD_NOT_FOUND else error.message
        yield checked("an unknown method is refused", fault)

    async def list_of(self, kind: str, method: str) -> tuple[str, str]:
        """Compare a list with that of the spec."""
        entries = (await self.request(method))[kind]
        names = ", ".join(entry["name"] for entry in entries)
        expected = CATALOG[kind]
        fault = "" if entries == expected else "it is not the spec's"
        return checked(f"lists the {kind} {names}", fault)

    async def example(self, number: int) -> tuple[str, str]:
        """Check an example."""
        example, name = EXAMPLES[number], EXAMPLES[number]["name"]
        text, data, failed = await self.outcome(example)
        data = json_in(text) if data is None else data
        fault = self.fault_of(example, text, data, failed)
        line = f"{name}: {' '.join(text.split()):.60}".rstrip(": ")
        is_to_do = failed and text == NOT_WRITTEN
        return ("todo", line) if is_to_do else checked(line, fault)

    async def outcome(self, example: dict[str, Any]) -> tuple[str, Any, bool]:
        """Do what an example says; return the text, the data, and whether it failed."""
        arguments = example.get("arguments", {})
        texts = {key: str(value) for key, value in arguments.items()}
        try:
            if "tool" in example:
                return await self.call(example["tool"], arguments)
            if "prompt" in example:
                text = await self.prompt(example["prompt"], texts)
            else:
                text = await self.read(example["resource"])
        except MCPError as error:
            return error.message, None, True
        return text, None, False

    def fault_of(
        self, example: dict[str, Any], text: str, data: Any, failed: bool
    ) -> str:
        """Return what is wrong with the outcome of an example, if anything."""
        if text.startswith("Internal error, reference"):
            return "it failed inside"
        if failed != example.get("isError", False):
            return "it failed" if failed else "it did not fail"
        for key, found in {"text": text, "result": data}.items():
            if key in example:
                schema = Schema(example[key])
                if faults := schema.faults(found):
                    return f"{key} {'; '.join(faults)}"
        return ""

    async def request(self, method: str) -> dict[str, Any]:
        """Return the result of a request without parameters."""
        request = Request[None, str](method=method, params=None)
        result = await self.client.session.send_request(request, Anything)
        return result.model_extra or {}

    async def call(self, tool: str, arguments: dict[str, Any]) -> tuple[str, Any, bool]:
        """Call a tool; return the text, the data, and whether it failed."""
        result = await self.client.call_tool(tool, arguments)
        return text_of(result), result.structured_content, bool(result.is_error)

    async def prompt(self, name: str, arguments: dict[str, str]) -> str:
        result = await self.client.get_prompt(name, arguments)
        blocks = [message.content for message in result.messages]
        return "\n".join(getattr(one, "text", one.type) for one in blocks)

    async def read(self, uri: str) -> str:
        result = await self.client.read_resource(uri)
        return "\n".join(getattr(one, "text", "") for one in result.contents)


def json_in(text: str) -> Any:
    """Return the value of a text that is JSON, else None."""
    with suppress(ValueError):
        return json.loads(text)
    return None


def checked(text: str, fault: str) -> tuple[str, str]:
    """Return a check that went well, or what is wrong."""
    return ("FAIL", f"{text} - {fault}") if fault else ("ok", text)


if __name__ == "__main__":
    main()
