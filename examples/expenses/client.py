# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Try the server as a client does: lists, every example, the error paths.

`python client.py` starts the server and tries it.
`python client.py --url http://127.0.0.1:8000/mcp` tries a running server.
`python client.py call TOOL name=value` makes one call to a new server, with `--real` before it on your data.

For more, use the official Inspector:
`npx @modelcontextprotocol/inspector uv run expenses`
"""

import argparse
import json
import os
import re
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import Transport
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import (
    METHOD_NOT_FOUND,
    CallToolResult,
    ElicitRequestParams,
    ElicitResult,
    EmptyResult,
    Request,
    Result,
)

from expenses._generated.runtime.catalog import Schema
from expenses._generated.runtime.handlers import first
from expenses._generated.runtime.task_client import TaskClient

CATALOG = json.loads((files("expenses._generated") / "catalog.json").read_bytes())
EXAMPLES: list[dict[str, Any]] = CATALOG.get("examples", [])
NOT_WRITTEN = "This is not written yet"
Json: TypeAlias = dict[str, Any] | list[Any] | str | float | None
REFERENCE = re.compile(r"\$\{([^.{}]+)\.([^{}]+)\}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Try the server as a client does.")
    parser.add_argument(
        "--url",
        help="a running server (…/mcp or …/sse), instead of a new one",
    )
    parser.add_argument("--token", help="an access token for the running server")
    parser.add_argument("--legacy", action="store_true", help="as before 2026-07-28")
    parser.add_argument(
        "--real",
        action="store_true",
        help="with the real variables, and examples on a running server",
    )
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
        with TemporaryDirectory() as folder:
            environment = variables() if options.real else stand_ins(Path(folder))
            server = (
                running(options.url, options.token)
                if options.url
                else started(environment)
            )
            sys.exit(anyio.run(run, server, options))
    except* (MCPError, httpx2.HTTPError, LookupError) as errors:
        sys.exit(f"FAIL {first(errors)!r}")


async def run(server: Transport, options: argparse.Namespace) -> int:
    """Tell the story, or make one call; return the exit code."""
    async with told(server, "legacy" if options.legacy else "auto") as story:
        if options.command == "call":
            for number in story.needs(options.arguments):
                await story.tried(number)
            options.arguments = story.filled(options.arguments)
            result = await story.client.call_tool(options.tool, options.arguments)
            print(text_of(result))
            return int(result.is_error)
        failed = False
        async for word, step in story.steps(options.real or not options.url):
            print(f"{word:4}", step)
            failed = failed or word == "FAIL"
        return int(failed)


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


def step(text: str, fault: str = "") -> tuple[str, str]:
    """Return a step that went well, or what is wrong with it."""
    return ("FAIL", f"{text} - {fault}") if fault else ("ok", text)


def started(environment: Mapping[str, str] = os.environ) -> Transport:
    """Return a transport to a new server."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "expenses"],
        env={"EXPENSES_TASKS": ":memory:", **environment},
    )
    return stdio_client(server)


def running(url: str, token: str | None = None) -> Transport:
    """Return a transport to a running server."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    http = httpx2.AsyncClient(
        headers=headers,
        timeout=httpx2.Timeout(30, read=300),
        event_hooks={"response": [tell_refusal]},
    )
    return streamable_http_client(url, http_client=http)


async def tell_refusal(response: httpx2.Response) -> None:
    """Tell why a request was refused, which the error of the SDK does not."""
    if response.status_code in (401, 403):
        challenge = response.headers.get("WWW-Authenticate", "")
        print(f"refused: {response.status_code} {challenge}".rstrip(), file=sys.stderr)


def variables() -> dict[str, str]:
    """Return the environment, and what `.env` adds to it."""
    file = Path(__file__).with_name(".env")
    text = file.read_text("utf-8") if file.is_file() else ""
    line = re.compile(
        r"^(?:export )?(\w+)=(?:'(.*)'|\"(.*)\"|(.*?))\s*(?: #.*)?$", re.MULTILINE
    )
    return {
        **{name: "".join(parts) for name, *parts in line.findall(text)},
        **os.environ,
    }


def stand_ins(folder: Path) -> dict[str, str]:
    """Return an environment with which the server touches no real data.

    Paths lie in `folder`, optional ones are not set; secrets, and what is required but
    not set, are made up.
    """
    return {
        **os.environ,
        "EXPENSES_DATABASE": "",
        "EXPENSES_STATE_KEYS": "",
    }


@asynccontextmanager
async def told(server: Any, mode: str = "auto") -> AsyncGenerator["Story"]:
    """Connect to a server, or to a transport that leads to one, and yield its story."""
    person = Person()
    async with Client(
        server,
        mode=mode,
        elicitation_callback=person.fill_in,
        extensions=[TaskClient()],
    ) as client:
        yield Story(client, person)


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


class Listed(Result, extra="allow"):
    """A list as it comes: the client's types drop what they do not know."""


class Story:
    """What the spec says a client may expect of the server."""

    def __init__(self, client: Client, person: Person) -> None:
        self.client = client
        self.person = person
        self.tries: dict[int, tuple[str, str]] = {}
        self.data: dict[int, Any] = {}

    async def steps(self, examples: bool = True) -> AsyncGenerator[tuple[str, str]]:
        """Yield what came of each step, which is ok, todo, skip or FAIL, and the step."""
        yield step(f"speaks {self.client.protocol_version}")
        yield await self.compared("tools")
        yield await self.compared("resources")
        for uri, expected in CATALOG["contents"].items():
            [read] = (await self.client.read_resource(uri)).contents
            is_same = getattr(read, "text", "") == expected["text"]
            yield step(f"reads {uri}", "" if is_same else "it is not the spec's")
        if not examples:
            yield "skip", "the examples - they need --real, for some write"
        for number in range(len(EXAMPLES) if examples else 0):
            yield await self.tried(number)
        for tool, arguments in CATALOG.get("invalid", {}).items():
            text = text_of(await self.client.call_tool(tool, arguments))
            refused = text.startswith("Invalid arguments")
            yield step(f"{tool} refuses wrong arguments", "" if refused else text)
        fault = "it was answered"
        try:
            request = Request[None, str](method="no/such/method", params=None)
            await self.client.session.send_request(request, EmptyResult)
        except MCPError as error:
            fault = "" if error.code == METHOD_NOT_FOUND else error.message
        yield step("an unknown method is refused", fault)

    async def compared(self, kind: str) -> tuple[str, str]:
        """Compare a list with that of the spec."""
        request = Request[None, str](method=f"{kind}/list", params=None)
        result = await self.client.session.send_request(request, Listed)
        entries = getattr(result, kind)
        names = ", ".join(entry["name"] for entry in entries)
        expected = CATALOG[kind]
        fault = "" if entries == expected else "it is not the spec's"
        return step(f"lists the {kind} {names}", fault)

    async def tried(self, number: int) -> tuple[str, str]:
        """Return the step for an example, tried once, after those that it needs."""
        if number not in self.tries:
            self.tries[number] = await self.outcome(number)
        return self.tries[number]

    async def outcome(self, number: int) -> tuple[str, str]:
        """Do what an example says, and return the step."""
        example, name = EXAMPLES[number], EXAMPLES[number]["name"]
        needs = [example["after"]] if "after" in example else []
        needs += self.needs(example)
        for needed in needs:
            word, _ = await self.tried(needed)
            if word != "ok":
                word = "todo" if word == "todo" else "skip"
                return word, f"{name} - it needs {EXAMPLES[needed]['name']}"
        try:
            text, data, failed = await self.result_of(example)
            self.data[number] = data
            fault = self.fault_of(example, text, data, failed)
        except LookupError as error:
            return step(name, str(error))
        told = " ".join(text.split())
        line = f"{name}: {told:.60}".rstrip(": ")
        return ("todo", line) if failed and text == NOT_WRITTEN else step(line, fault)

    def needs(self, value: Json) -> list[int]:
        """Return the numbers of the examples whose results a value refers to."""
        text = json.dumps(value, ensure_ascii=False)
        return [
            number
            for name, number in CATALOG["results"].items()
            if "${" + json.dumps(name, ensure_ascii=False)[1:-1] + "." in text
        ]

    def filled(self, value: Json, text: Callable[[str], str] = str) -> Any:
        """Return a copy with parts of results for `${search.hits.0.source}`.

        `text` makes what is inserted into a longer text.
        """
        if isinstance(value, dict):
            return {key: self.filled(item, text) for key, item in value.items()}
        if isinstance(value, list):
            return [self.filled(item, text) for item in value]
        if not isinstance(value, str):
            return value
        if match := REFERENCE.fullmatch(value):
            return self.part(match)

        def inserted(match: re.Match[str]) -> str:
            is_known = match[1] in CATALOG["results"]
            return text(str(self.part(match))) if is_known else match[0]

        return REFERENCE.sub(inserted, value)

    def part(self, reference: re.Match[str]) -> Any:
        """Return the part of a result that a reference leads to, or raise LookupError."""
        name, path = reference.groups()
        value: Any = self.data.get(CATALOG["results"].get(name, -1))
        try:
            for key in path.split("."):
                value = value[int(key) if isinstance(value, list) else key]
        except (LookupError, TypeError, ValueError):
            raise LookupError(f"{name} gave no {path}") from None
        return value

    async def result_of(self, example: dict[str, Any]) -> tuple[str, Any, bool]:
        """Do what an example says; return the text, the data, and whether it failed."""
        arguments = self.filled(example.get("arguments", {}))
        answers = example.get("answers", {})
        self.person.forms = [*answers.get("elicitation", [])]
        data: Any = None
        try:
            result = await self.client.call_tool(example["tool"], arguments)
            text, failed = text_of(result), bool(result.is_error)
            data = result.structured_content
        except MCPError as error:
            text, failed = error.message, True
        if data is None:
            with suppress(ValueError):
                data = json.loads(text)
        return text, data, failed

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
                schema = Schema(self.filled(example[key], re.escape))
                if faults := schema.faults(found):
                    return f"{key} {'; '.join(faults)}"
        return ""


def text_of(result: CallToolResult) -> str:
    return "\n".join(getattr(item, "text", item.type) for item in result.content)


if __name__ == "__main__":
    main()
