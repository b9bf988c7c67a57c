"""The story: all that the spec says of the server, its examples in their order, tried at a server.

It knows the server by its catalog and its messages alone.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import quote

from .client import LEGACY, MODERN, Client, Json, ServerError

CATALOG: Json = json.loads(
    Path(__file__).parents[1].joinpath("catalog.json").read_bytes()
)
EXAMPLES: list[Json] = CATALOG.get("examples", [])
# By the key of the catalog: the method, and what entries are known by.
LISTS = {
    "tools": ("tools/list", "name"),
    "prompts": ("prompts/list", "name"),
    "resources": ("resources/list", "uri"),
    "resourceTemplates": ("resources/templates/list", "uriTemplate"),
}
NOT_WRITTEN = "This is not written yet"
TO_DO = "its handler is to be written"
NEEDS = "it needs "
REFERENCE = re.compile(r"\$\{([^.{}]+)\.([^{}]+)\}")
UNKNOWN_METHOD = -32601


class Step(NamedTuple):
    """A step of the story, and what is wrong with it, if anything."""

    name: str
    fault: str = ""

    @property
    def word(self) -> str:
        if self.fault.startswith(NEEDS):
            return "skip"
        return "todo" if self.fault == TO_DO else "FAIL" if self.fault else "ok"


class Outcome(NamedTuple):
    """What an example has led to: `data` is what other examples may refer to."""

    text: str
    data: Any = None
    failed: bool = False


class Story:
    """What the spec says a client may expect of the server."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.tries: dict[int, Step] = {}
        self.data: dict[int, Any] = {}

    def steps(self) -> Iterator[Step]:
        """Yield each step of the story."""
        yield Step(f"speaks {self.client.version}")
        found: dict[str, set[str]] = {}
        for key, (_, known_by) in LISTS.items():
            if CATALOG.get(key):
                entries = self.listed(key)
                found[key] = {entry[known_by] for entry in entries}
                names = ", ".join(entry[known_by] for entry in entries)
                yield Step(f"lists the {key} {names}", self.fault_of_list(key, entries))
        for uri, contents in CATALOG.get("contents", {}).items():
            if uri in found["resources"]:
                read = self.client.request("resources/read", {"uri": uri})["contents"]
                is_same = read == [contents]
                yield Step(f"reads {uri}", "" if is_same else "it is not the spec's")
        yield from map(self.tried, range(len(EXAMPLES)))
        for tool, arguments in CATALOG.get("invalid", {}).items():
            if tool in found["tools"]:
                text = text_of(self.call(tool, arguments))
                refused = text.startswith("Invalid arguments")
                yield Step(f"{tool} refuses wrong arguments", "" if refused else text)
        try:
            self.client.request("no/such/method")
            yield Step("an unknown method is refused", "it was answered")
        except ServerError as error:
            refused = error.code == UNKNOWN_METHOD
            yield Step("an unknown method is refused", "" if refused else str(error))

    def listed(self, key: str) -> list[Json]:
        entries: list[Json] = self.client.request(LISTS[key][0])[key]
        return entries

    def fault_of_list(self, key: str, entries: list[Json]) -> str:
        """Return how a list differs from that of the spec, if it does."""
        expected: list[Json] = CATALOG[key]
        if key == "tools" and self.client.version != MODERN:
            expected = CATALOG.get("legacyTools", expected)
        kind = LISTS[key][0].partition("/")[0]
        if CATALOG.get("capabilities", {}).get(kind, {}).get("listChanged"):
            expected = [entry for entry in expected if entry in entries]  # Some hidden.
        return "" if entries == expected else "it is not the spec's"

    def tried(self, number: int) -> Step:
        """Try an example, once.

        What it needs is tried before. If that fails, the fault begins with `NEEDS`.
        """
        if number not in self.tries:
            example = EXAMPLES[number]
            title = title_of(example)
            try:
                example = self.filled(example, example.get("needs", {}))
                outcome = self.result_of(example)
            except (LookupError, ServerError) as error:
                self.tries[number] = Step(title, str(error))
            else:
                self.data[number] = outcome.data
                fault = fault_of(example, outcome)
                told = "" if fault == TO_DO else " ".join(outcome.text.split())
                self.tries[number] = Step(f"{title}: {told:.60}".rstrip(": "), fault)
        return self.tries[number]

    def filled(self, value: Any, needs: Mapping[str, int]) -> Any:
        """Return a value with parts of the results of other examples, by their names."""
        found: dict[str, Any] = {}
        for name, number in needs.items():
            if fault := self.tried(number).fault:
                title = title_of(EXAMPLES[number])
                raise LookupError(fault if fault == TO_DO else f"{NEEDS}{title}")
            found[name] = self.data[number]
        return filled_in(value, found)

    def result_of(self, example: Json) -> Outcome:
        """Do what an example says. Raises ServerError if the server is in disorder."""
        answers = example.get("answers", {})
        self.client.answers = {kind: [*left] for kind, left in answers.items()}
        arguments = example.get("arguments", {})
        texts = {key: str(value) for key, value in arguments.items()}
        try:
            if "tool" in example:
                result = self.call(example["tool"], arguments)
                text, failed = text_of(result), bool(result.get("isError"))
                data = result.get("structuredContent", data_of(text))
                return Outcome(text, data, failed)
            if "prompt" in example:
                given = {"name": example["prompt"], "arguments": texts}
                blocks = self.client.request("prompts/get", given)["messages"]
                text = text_of({"content": [block["content"] for block in blocks]})
            else:
                uri = example.get("resource")
                uri = uri or expanded(example["resourceTemplate"], texts)
                read = self.client.request("resources/read", {"uri": uri})["contents"]
                text = "\n".join(one.get("text", "") for one in read)
        except ServerError as error:
            if not error.code:
                raise
            return Outcome(str(error), failed=True)
        return Outcome(text, data_of(text))

    def call(self, tool: str, arguments: Json) -> Json:
        given = {"name": tool, "arguments": arguments}
        return self.client.request("tools/call", given)


def title_of(example: Json) -> str:
    """Return the entry of an example, and the example's name."""
    return f"{next(iter(example.values()))}, {example['name']}"


def fault_of(example: Json, outcome: Outcome) -> str:
    """Return what is wrong with the outcome of an example, if anything."""
    text, data, failed = outcome
    if failed and text == NOT_WRITTEN:
        return TO_DO
    if text.startswith("Internal error, reference"):
        return "it failed inside"
    if failed != example.get("isError", False):
        return f"it failed: {text}" if failed else "it did not fail"
    if "text" in example and (fault := difference(text, example["text"], "text")):
        return fault
    return difference(data, example["result"], "result") if "result" in example else ""


def difference(found: Any, expected: Any, at: str) -> str:
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
    keys: Iterable[Any] = ()
    if isinstance(expected, dict) and isinstance(found, dict):
        keys = expected
        if missing := expected.keys() - found.keys():
            return f"{at} has no {' and no '.join(sorted(missing))}"
    elif isinstance(expected, list) and isinstance(found, list):
        if len(found) != len(expected):
            return f"{at} is {found!r}, not {expected!r}"
        keys = range(len(expected))
    elif found != expected or isinstance(found, bool) != isinstance(expected, bool):
        return f"{at} is {found!r}, not {expected!r}"
    faults = (difference(found[key], expected[key], f"{at}.{key}") for key in keys)
    return next(filter(None, faults), "")


def needs_of(arguments: Any) -> dict[str, int]:
    """Return the numbers of the examples that arguments refer to, by their names."""
    text = json.dumps(arguments, ensure_ascii=False)
    names = {name for name, _ in REFERENCE.findall(text)}
    return {
        name: number
        for number, example in reversed([*enumerate(EXAMPLES)])
        for name in names & {example["name"], example.get("tool")}
        if not example.get("isError")
    }


def filled_in(value: Any, found: Mapping[str, Any]) -> Any:
    """Return a copy with parts of results for `${search.hits.0.source}`, also in texts."""
    if isinstance(value, dict):
        return {key: filled_in(item, found) for key, item in value.items()}
    if isinstance(value, list):
        return [filled_in(item, found) for item in value]
    if not isinstance(value, str):
        return value
    if match := REFERENCE.fullmatch(value):
        return part_of(found, match)
    for match in REFERENCE.finditer(value):
        if match[1] in found:
            value = value.replace(match[0], str(part_of(found, match)))
    return value


def part_of(found: Mapping[str, Any], reference: re.Match[str]) -> Any:
    """Return the part of a result that a reference leads to, or raise LookupError."""
    value: Any = found.get(reference[1])
    try:
        for key in reference[2].split("."):
            value = value[int(key) if isinstance(value, list) else key]
    except (LookupError, TypeError, ValueError):
        raise LookupError(f"{reference[1]} gave no {reference[2]}") from None
    return value


def expanded(template: str, values: Mapping[str, str]) -> str:
    """Return the URI of a template, of the kinds that `uris.py` can match."""

    def part(match: re.Match[str]) -> str:
        operator, names = match[1], [n for n in match[2].split(",") if n in values]
        kept = RESERVED if operator == "+" else ""
        texts = [quote(values[name], kept) for name in names]
        if operator != "?":
            return "".join(f"/{text}" if operator else text for text in texts)
        pairs = "&".join(map("=".join, zip(names, texts, strict=True)))
        return f"?{pairs}" if pairs else ""

    return re.sub(r"\{([+/?]?)([\w,]+)\}", part, template)


# What `{+name}` leaves as it is (RFC 3986).
RESERVED = "!#$&'()*+,/:;=?@[]"


def data_of(text: str) -> Any:
    """Return the value in a text that is JSON, else None."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def text_of(result: Json) -> str:
    return "\n".join(block.get("text", block["type"]) for block in result["content"])


@contextmanager
def started(
    package: str,
    version: str = MODERN,
    environment: Mapping[str, str] = os.environ,
    wire: bool = False,
) -> Generator[Story]:
    """Start the server of a package, and yield its story."""
    client = Client(package, version, environment, wire)
    try:
        yield Story(client)
    finally:
        client.stop()


def main(
    package: str, stand_ins: Callable[[Path], Mapping[str, str]] | None = None
) -> None:
    """Tell the story, or make one call; exit with 0 if all was as expected.

    `stand_ins` returns an environment in which the server touches no real data.
    """
    parser = argparse.ArgumentParser(description="Try the server as a client does.")
    parser.add_argument("--protocol", choices=[*LEGACY, MODERN], default=MODERN)
    parser.add_argument("--wire", action="store_true", help="show all messages")
    if stand_ins:
        about = "with the real variables"
        parser.add_argument("--real", action="store_true", help=about)
    commands = parser.add_subparsers(dest="command")
    call = commands.add_parser("call", help="make one call and print its result")
    call.add_argument("tool")
    call.add_argument("arguments", type=json.loads, help="a JSON object")
    options = parser.parse_args()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # Not all terminals have arrows.
    try:
        with TemporaryDirectory() as folder:
            environment: Mapping[str, str] = os.environ
            if stand_ins and not options.real:
                environment = stand_ins(Path(folder))
            with started(package, options.protocol, environment, options.wire) as story:
                sys.exit(run(story, options))
    except (LookupError, ServerError) as error:
        sys.exit(f"FAIL {error}")


def run(story: Story, options: argparse.Namespace) -> int:
    """Tell the story, or make one call; return the exit code."""
    if options.command == "call":
        arguments = story.filled(options.arguments, needs_of(options.arguments))
        result = story.call(options.tool, arguments)
        print(text_of(result))
        return int(bool(result.get("isError")))
    failed = False
    for step in story.steps():
        print(f"{step.word:4}", step.name, f"- {step.fault}" if step.fault else "")
        failed = failed or step.word == "FAIL"
    return int(failed)
