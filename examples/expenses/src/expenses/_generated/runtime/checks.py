"""Checks of a server against its spec, which `client.py` and the tests make."""

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TextIO, TypeAlias, cast

CATALOG: dict[str, Any] = json.loads(
    Path(__file__).parents[1].joinpath("catalog.json").read_bytes()
)
LISTS = {
    "tools": "tools/list",
    "prompts": "prompts/list",
    "resources": "resources/list",
    "resourceTemplates": "resources/templates/list",
}
METHOD_NOT_FOUND = -32601
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
        self.offered = {tool["name"] for tool in CATALOG.get("tools", [])}
        self.answers: dict[str, list[Any]] = {}  # To the questions of a tool.
        self.checked: dict[int, Check] = {}  # The examples, by their numbers.

    @abstractmethod
    async def response(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return what the response to a request has: `result` or `error`."""

    @abstractmethod
    def faults(self, schema: Any, value: Any) -> list[str]:
        """Return what is wrong with a value."""

    async def all(self) -> AsyncGenerator[Check]:
        """Make all checks, one after the other."""
        yield "ok", f"speaks {self.version}"
        async for check in self.offers():
            yield check
        async for check in self.refusals():
            yield check

    async def offers(self) -> AsyncGenerator[Check]:
        """Check what the server offers: its lists and its static content."""
        for kind in filter(CATALOG.__contains__, LISTS):
            yield await self.list_of(kind)
        for uri, expected in CATALOG.get("contents", {}).items():
            text = (await self.ask("resources/read", uri=uri)).text
            if text == expected["text"] or not self.is_changing("resources"):
                yield checked(f"reads {uri}", text, expected["text"])

    async def refusals(self) -> AsyncGenerator[Check]:
        """Check that wrong requests are refused."""
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

    async def prepared(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return arguments as a call sends them."""
        return arguments

    async def show(self, words: list[str]) -> int:
        """Print the result of one call, or all checks, and return the exit code."""
        if words:
            arguments = self.typed(words)
            with redirect_stdout(sys.stderr):  # What handlers print is no result.
                outcome = await self.call(words[1], await self.prepared(arguments))
            show(outcome.text)
            return int(outcome.failed)
        failed = False
        async for word, text in self.all():
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
            part = schema.get("properties", {}).get(name, True)
            rule = part if isinstance(part, bool) else {**shared, **part}
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
