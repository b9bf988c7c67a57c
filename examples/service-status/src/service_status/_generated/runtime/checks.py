# Copyright Acme Ltd. All rights reserved.
"""Checks of a server against its spec, which `client.py` and the tests make."""

import json
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TextIO, TypeAlias, cast

CATALOG: dict[str, Any] = json.loads(
    Path(__file__).parents[1].joinpath("catalog.json").read_bytes()
)
EXAMPLES: list[dict[str, Any]] = CATALOG.get("examples", [])
LISTS = {
    "tools": "tools/list",
    "prompts": "prompts/list",
    "resources": "resources/list",
    "resourceTemplates": "resources/templates/list",
}
METHOD_NOT_FOUND = -32601
NOT_WRITTEN = "This is not written yet"
NEEDS_TASKS = "This needs a client that supports tasks"
# Characters of a value that are shown, and lines of the log.
MAX_SHOWN = 300
MAX_LOG = 4

Check: TypeAlias = tuple[str, str]
"""How a check ended, which is ok, todo, skip or FAIL, and what was checked."""


class UsageError(Exception):
    """A call that cannot be made; the text says why."""


class Outcome(NamedTuple):
    """What came of a request: its text, its data, and whether it failed."""

    text: str
    data: Any = None
    failed: bool = False


class Checks(ABC):
    """A connection to a server, and what is checked over it."""

    version: str
    log: Path | None = None
    """The log of the server, if it is in a file."""
    is_shared = False
    """Whether others started the server: it may offer fewer tools."""

    def __init__(self) -> None:
        self.count_requests: Callable[[], int] = lambda: 0  # To made-up addresses.
        self.offered = {tool["name"] for tool in CATALOG.get("tools", [])}
        self.answers: dict[str, list[Any]] = {}  # To the questions of a tool.
        self.checked: dict[int, Check] = {}
        self.results: dict[int, Any] = {}

    @abstractmethod
    async def response(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return what the response to a request has: `result` or `error`."""

    @abstractmethod
    def faults(self, schema: Any, value: Any) -> list[str]:
        """Return what is wrong with a value."""

    async def all(self, examples: bool = True) -> AsyncGenerator[Check]:
        """Make all checks, one after the other."""
        yield "ok", f"speaks {self.version}"
        for kind in filter(CATALOG.__contains__, LISTS):
            yield await self.list_of(kind)
        for uri, expected in CATALOG.get("contents", {}).items():
            text = (await self.ask("resources/read", uri=uri)).text
            if text == expected["text"] or not self.is_changing("resources"):
                yield checked(f"reads {uri}", text, expected["text"])
        if EXAMPLES and not examples:
            yield "skip", "the examples - they need --real, for some write"
        for number in range(len(EXAMPLES) if examples else 0):
            yield await self.example(number)
        for tool, arguments in CATALOG.get("invalid", {}).items():
            if tool in self.offered:
                text = (await self.call(tool, arguments)).text
                yield checked(
                    f"{tool} refuses wrong arguments", text[:17], "Invalid arguments"
                )
        answer = await self.response("no/such/method", {})
        code = answer.get("error", {}).get("code")
        yield checked("an unknown method is refused", code, METHOD_NOT_FOUND)

    async def list_of(self, kind: str) -> Check:
        """Compare a list with that of the spec."""
        entries = (await self.response(LISTS[kind], {}))["result"][kind]
        # A skill is no part of the spec, and can change without it.
        entries = [e for e in entries if not e.get("uri", "").startswith("skill://")]
        names = [entry["name"] for entry in entries]
        expected = CATALOG[kind]
        if self.version < "2026":
            expected = CATALOG.get(f"legacy{kind.title()}", expected)
        if kind == "tools":
            self.offered = {*names}
        if self.is_changing(kind) or (self.is_shared and "toolsets" in CATALOG):
            expected = [entry for entry in expected if entry in entries]
        return checked(f"lists the {kind} {', '.join(names)}", entries, expected)

    def is_changing(self, kind: str) -> bool:
        """Return whether the server can hide entries of a list."""
        declared = CATALOG.get("capabilities", {})
        changes = declared.get("resources" if kind.startswith("resource") else kind, {})
        return bool(changes.get("listChanged"))

    async def example(self, number: int) -> Check:
        """Check an example once, after those that it needs."""
        if number not in self.checked:
            self.checked[number] = await self.first_time(number)
        return self.checked[number]

    async def first_time(self, number: int) -> Check:
        example, name = EXAMPLES[number], EXAMPLES[number]["name"]
        if self.is_shared and example.get("tool", "") not in {"", *self.offered}:
            return "skip", f"{name} - the server does not offer the tool"
        needs = [example["after"]] if "after" in example else []
        for needed in [*needs, *self.needed_by(example)]:
            word, _ = await self.example(needed)
            if word != "ok":
                word = "todo" if word == "todo" else "skip"
                return word, f"{name} - it needs {EXAMPLES[needed]['name']}"
        before, start = self.count_requests(), len(self.logged())
        try:
            arguments = self.filled_in(example.get("arguments", {}))
            outcome = await self.outcome(example, arguments)
            self.results[number] = outcome.data
            fault = self.fault_of(example, outcome)
        except UsageError as error:
            return "FAIL", f"{name} - {error}"
        log = self.logged()[start:][-MAX_LOG:]
        line = f"{name}: {' '.join(outcome.text.split()):.60}".rstrip(": ")
        if not fault:
            return "ok", "\n     ".join([line, *log])
        if outcome.failed and outcome.text == NOT_WRITTEN:
            return "todo", line
        if outcome.text.startswith(NEEDS_TASKS) and self.version < "2026":
            return "skip", f"{name} - the server refuses older clients"
        if self.count_requests() > before:
            return "skip", f"{name} - it needs an address that is made up: try --real"
        expected = shown(example["expected"]) if "expected" in example else "any"
        details = [
            f"sent: {shown(arguments)}",
            f"expected: {'the error ' * ('isError' in example)}{expected}",
            f"got: {'the error ' * outcome.failed}{shown(outcome.text)}",
            f"see: examples of {name.replace(', ', ' in mcp.yaml, ', 1)}",
        ]
        return "FAIL", "\n     ".join([f"{name} - {fault}", *details, *log])

    async def outcome(self, example: dict[str, Any], arguments: Any) -> Outcome:
        """Do what an example says."""
        answers = example.get("answers", {})
        self.answers = {kind: [*left] for kind, left in answers.items()}
        texts = {key: str(value) for key, value in arguments.items()}
        if "tool" in example:
            outcome = await self.call(example["tool"], arguments)
        elif name := example.get("prompt"):
            outcome = await self.ask("prompts/get", name=name, arguments=texts)
        else:
            uri = example.get("resource")
            uri = uri or self.expanded(example["resourceTemplate"], texts)
            outcome = await self.ask("resources/read", uri=uri)
        if outcome.data is not None:
            return outcome
        data = parsed(outcome.text)
        return outcome._replace(data=None if data == outcome.text else data)

    def fault_of(self, example: dict[str, Any], outcome: Outcome) -> str:
        """Return what is wrong with the outcome of an example, if anything."""
        if outcome.text.startswith("Internal error, reference"):
            return "it failed inside"
        if outcome.failed != example.get("isError", False):
            return "it failed" if outcome.failed else "it did not fail"
        schemas = self.filled_in(
            {key: example.get(key, True) for key in ("text", "result")}, re.escape
        )
        if self.faults(schemas["text"], outcome.text):
            return "the text differs"
        faults = self.faults(schemas["result"], outcome.data)
        return f"the result differs: {'; '.join(faults[:3])}" if faults else ""

    async def call(self, tool: str, arguments: dict[str, Any]) -> Outcome:
        return await self.ask("tools/call", name=tool, arguments=arguments)

    async def ask(self, method: str, **params: Any) -> Outcome:
        """Return what comes of a request whose result has blocks of content."""
        answer = await self.response(method, params)
        if "error" in answer:
            return Outcome(answer["error"]["message"], failed=True)
        result = answer["result"]
        messages = [message["content"] for message in result.get("messages", [])]
        blocks = [*result.get("content", []), *messages, *result.get("contents", [])]
        text = "\n".join(block.get("text", block.get("type", "")) for block in blocks)
        failed = bool(result.get("isError"))
        return Outcome(text, result.get("structuredContent"), failed)

    def logged(self) -> list[str]:
        """Return the lines of the server's log that say something."""
        lines = self.log.read_text("utf-8").splitlines() if self.log else []
        return [line for line in lines if line.strip(" ^~")]

    # Projects whose examples need them have others.

    def expanded(self, template: str, values: dict[str, str]) -> str:
        """Return the URI of a resource that a template stands for."""
        return template

    def needed_by(self, value: Any) -> list[int]:
        """Return the numbers of the examples whose results a value refers to."""
        return []

    def filled_in(self, value: Any, text: Callable[[str], str] = str) -> Any:
        """Return a value with results in the place of references."""
        return value

    async def show(self, words: list[str], examples: bool = True) -> int:
        """Print the result of one call, or all checks, and return the exit code."""
        if words:
            arguments = self.typed(words)
            with redirect_stdout(sys.stderr):  # What handlers print is no result.
                for number in self.needed_by(arguments):
                    await self.example(number)
                outcome = await self.call(words[1], self.filled_in(arguments))
            show(outcome.text)
            return int(outcome.failed)
        failed = False
        async for word, text in self.all(examples):
            show(f"{word:4} {text}")
            failed = failed or word == "FAIL"
        return int(failed)

    def typed(self, words: list[str]) -> dict[str, Any]:
        """Return the arguments in words: `call TOOL day=14`, or a JSON object.

        A word is JSON, or a text if only that fits the schema. A list can have a word for
        each item.
        """
        if words[0] != "call" or not words[1:]:
            raise UsageError("write `call TOOL NAME=VALUE`")
        schemas = {tool["name"]: tool["inputSchema"] for tool in CATALOG["tools"]}
        if (schema := schemas.get(words[1])) is None:
            names = ", ".join(schemas)
            raise UsageError(f"there is no tool `{words[1]}`; there are {names}")
        if words[2:] and isinstance(whole := parsed(words[2]), dict):
            return cast("dict[str, Any]", whole)
        shared = {key: schema[key] for key in ("$defs", "definitions") if key in schema}
        arguments: dict[str, Any] = {}
        for word in words[2:]:
            name, is_pair, text = word.partition("=")
            if not is_pair:
                raise UsageError(f"{word} is neither NAME=VALUE nor a JSON object")
            rule = {**shared, "allOf": [schema.get("properties", {}).get(name, True)]}
            values = [parsed(text), text, [parsed(text)], [text]]
            fitting = (value for value in values if not self.faults(rule, value))
            value = next(fitting, values[0])
            if name in arguments and isinstance(value, list):
                value = arguments[name] + value
            arguments[name] = value
        return arguments


@contextmanager
def log_file() -> Generator[TextIO]:
    """Yield a file for the log of a server, whose end tells why it does not answer."""
    with TemporaryDirectory() as folder, Path(folder, "log").open("w") as log:
        try:
            yield log
        except ConnectionError as error:
            lines = Path(log.name).read_text("utf-8").splitlines()[-MAX_LOG:]
            raise ConnectionError("\n".join([str(error), *lines])) from error


def checked(text: str, value: object, expected: object) -> Check:
    """Return a check that a value is as expected."""
    fault = f"it is not the spec's, but {shown(value)}"
    return ("ok", text) if value == expected else ("FAIL", f"{text} - {fault}")


def parsed(text: str) -> Any:
    """Return the value of a text that is JSON, else the text."""
    try:
        return json.loads(text, parse_constant=str)  # NaN is not JSON.
    except ValueError:
        return text


def shown(value: object) -> str:
    return f"{json.dumps(value, ensure_ascii=False):.{MAX_SHOWN}}"


def show(text: str) -> None:
    """Print a text: not all terminals have all letters."""
    encoding = sys.stdout.encoding
    print(text.encode(encoding, "replace").decode(encoding))
