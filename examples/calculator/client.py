# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Try the server as a client does: lists, every example, the error paths.

`python client.py` starts the server and tries it.
`python client.py --url http://127.0.0.1:8000/mcp` tries a running server.
`python client.py call TOOL '{"name": "value"}'` makes one call.

For more, use the official Inspector:
`npx @modelcontextprotocol/inspector uv run calculator`
"""

import argparse
import json
import os
import re
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any, TypeAlias

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import Transport
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import METHOD_NOT_FOUND, CallToolResult, EmptyResult, Request, Result

from calculator._generated.runtime.handlers import first

CATALOG = json.loads((files("calculator._generated") / "catalog.json").read_bytes())
EXAMPLES: list[dict[str, Any]] = CATALOG.get("examples", [])
Json: TypeAlias = dict[str, Any] | list[Any] | str | float | None
NOT_WRITTEN = "This is not written yet"
TO_DO = "its handler is to be written"


def main() -> None:
    parser = argparse.ArgumentParser(description="Try the server as a client does.")
    parser.add_argument(
        "--url",
        help="a running server (…/mcp or …/sse), instead of a new one",
    )
    parser.add_argument("--legacy", action="store_true", help="as before 2026-07-28")
    commands = parser.add_subparsers(dest="command")
    call = commands.add_parser("call", help="make one call and print its result")
    call.add_argument("tool")
    call.add_argument("arguments", type=json.loads, help="a JSON object")
    options = parser.parse_args()
    try:
        server = running(options.url) if options.url else started()
        sys.exit(anyio.run(run, server, options))
    except* (MCPError, httpx2.HTTPError) as errors:
        sys.exit(f"FAIL {first(errors)!r}")


async def run(server: Transport, options: argparse.Namespace) -> int:
    """Tell the story, or make one call; return the exit code."""
    async with told(server, "legacy" if options.legacy else "auto") as story:
        if options.command == "call":
            result = await story.client.call_tool(options.tool, options.arguments)
            print(text_of(result))
            return int(result.is_error)
        failed = False
        async for step, fault in story.steps():
            print(f"{word_of(fault):4}", step, f"- {fault}" if fault else "")
            failed = failed or word_of(fault) == "FAIL"
        return int(failed)


def word_of(fault: str) -> str:
    """Return the word for a step with this fault."""
    return "todo" if fault == TO_DO else "FAIL" if fault else "ok"


def title_of(example: dict[str, Any]) -> str:
    """Return the entry of an example, and the example's name."""
    entry = next(iter(example.values()))
    return f"{entry}, {example['name']}"


def started(environment: Mapping[str, str] = os.environ) -> Transport:
    """Return a transport to a new server."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "calculator"],
        env={**environment},
    )
    return stdio_client(server)


def running(url: str, environment: Mapping[str, str] = os.environ) -> Transport:
    """Return a transport to a running server."""
    return streamable_http_client(url)


@asynccontextmanager
async def told(server: Any, mode: str = "auto") -> AsyncGenerator["Story"]:
    """Connect to a server, or to a transport that leads to one, and yield its story."""
    async with Client(server, mode=mode) as client:
        yield Story(client)


class Listed(Result, extra="allow"):
    """A list as it comes: the client's types drop what they do not know."""


class Story:
    """What the spec says a client may expect of the server."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def steps(self) -> AsyncGenerator[tuple[str, str]]:
        """Yield each step, with what is wrong or an empty text."""
        yield f"speaks {self.client.protocol_version}", ""
        tools = await self.listed("tools")
        names = [tool["name"] for tool in tools]
        yield f"lists the tools {', '.join(names)}", self.fault_of_list("tools", tools)
        prompts = await self.listed("prompts")
        yield "lists the prompts", self.fault_of_list("prompts", prompts)
        resources = await self.listed("resources")
        yield "lists the resources", self.fault_of_list("resources", resources)
        for number, example in enumerate(EXAMPLES):
            text, fault = await self.tried(number)
            told = "" if fault == TO_DO else " ".join(text.split())
            yield f"{title_of(example)}: {told:.60}".rstrip(": "), fault
        for tool, arguments in CATALOG.get("invalid", {}).items():
            text = text_of(await self.client.call_tool(tool, arguments))
            refused = text.startswith("Invalid arguments")
            yield f"{tool} refuses wrong arguments", "" if refused else text
        try:
            request = Request[None, str](method="no/such/method", params=None)
            await self.client.session.send_request(request, EmptyResult)
            yield "an unknown method is refused", "it was answered"
        except MCPError as error:
            refused = error.code == METHOD_NOT_FOUND
            yield "an unknown method is refused", "" if refused else error.message

    async def listed(self, kind: str) -> list[dict[str, Any]]:
        request = Request[None, str](method=f"{kind}/list", params=None)
        result = await self.client.session.send_request(request, Listed)
        entries: list[dict[str, Any]] = getattr(result, kind)
        return entries

    def fault_of_list(self, kind: str, entries: list[dict[str, Any]]) -> str:
        """Return how a list differs from that of the spec, if it does."""
        expected = CATALOG[kind]
        return "" if entries == expected else "it is not the spec's"

    async def tried(self, number: int) -> tuple[str, str]:
        """Try an example; return the text of its result, and its fault, if any."""
        example = EXAMPLES[number]
        text, data, failed = await self.result_of(example)
        return text, fault_of(example, text, data, failed)

    async def result_of(self, example: dict[str, Any]) -> tuple[str, Any, bool]:
        """Do what an example says; return the text, the data, and whether it failed."""
        data: Any = None
        try:
            if "tool" in example:
                result = await self.client.call_tool(
                    example["tool"], example["arguments"]
                )
                text, failed = text_of(result), bool(result.is_error)
                data = result.structured_content
            elif "prompt" in example:
                given = {key: str(one) for key, one in example["arguments"].items()}
                prompt = await self.client.get_prompt(example["prompt"], given)
                blocks = [message.content for message in prompt.messages]
                text, failed = (
                    "\n".join(getattr(one, "text", one.type) for one in blocks),
                    False,
                )
            else:
                uri = example["resource"]
                read = await self.client.read_resource(uri)
                text, failed = (
                    "\n".join(getattr(one, "text", "") for one in read.contents),
                    False,
                )
        except MCPError as error:
            text, failed = error.message, True
        return text, data_of(text) if data is None else data, failed


def fault_of(example: dict[str, Any], text: str, data: Any, failed: bool) -> str:
    """Return what is wrong with the outcome of an example, if anything."""
    if failed and text == NOT_WRITTEN:
        return TO_DO
    if text.startswith("Internal error, reference"):
        return "it failed inside"
    if failed != example.get("isError", False):
        return "it failed" if failed else "it did not fail"
    if "text" in example and (fault := difference(text, example["text"], "text")):
        return fault
    if "result" in example:
        return difference(data, example["result"], "result")
    return ""


def difference(found: Json, expected: Json, at: str) -> str:
    """Return how a value differs from what is expected of it, if it does.

    An object may have more keys. In texts, `…` stands for anything.
    """
    if expected == "…":
        return ""
    if isinstance(expected, dict) and "$pattern" in expected:
        fits = isinstance(found, str) and re.search(expected["$pattern"], found)
        return "" if fits else f"{at} is {found!r}"
    if isinstance(expected, str) and isinstance(found, str):
        pattern = ".*".join(map(re.escape, expected.split("…")))
        fits = re.fullmatch(pattern, found, re.DOTALL)
        return "" if fits else f"{at} is {found!r}, not {expected!r}"
    parts: list[tuple[Any, Any, Any]] = []
    if isinstance(expected, dict) and isinstance(found, dict):
        if missing := expected.keys() - found.keys():
            return f"{at} has no {' and no '.join(sorted(missing))}"
        parts = [(key, found[key], one) for key, one in expected.items()]
    elif (
        isinstance(expected, list)
        and isinstance(found, list)
        and len(found) == len(expected)
    ):
        parts = [*zip(range(len(expected)), found, expected, strict=True)]
    elif found != expected or isinstance(found, bool) != isinstance(expected, bool):
        return f"{at} is {found!r}, not {expected!r}"
    faults = (difference(one, other, f"{at}.{key}") for key, one, other in parts)
    return next(filter(None, faults), "")


def data_of(text: str) -> Any:
    """Return the value in a text that is JSON, else None."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def text_of(result: CallToolResult) -> str:
    return "\n".join(getattr(item, "text", item.type) for item in result.content)


if __name__ == "__main__":
    main()
