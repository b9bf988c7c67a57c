"""The client's side: starts the server as a client does, and tells the story of the examples.

It knows the server by its catalog and its messages alone.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

Json = dict[str, Any]

LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
CATALOG: Json = json.loads(
    Path(__file__).parents[1].joinpath("catalog.json").read_bytes()
)
EXAMPLES: list[Json] = CATALOG.get("examples", [])
# Seconds that the server may take to answer.
PATIENCE = 60
UNKNOWN_TOOL = -32602
UNKNOWN_METHOD = -32601


class ServerError(Exception):
    """The server has answered with an error, wrongly or not at all."""

    def __init__(self, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.code = code


class Client:
    """A client over standard streams, which answers questions as an example says."""

    def __init__(
        self, package: str, version: str, environment: Mapping[str, str], wire: bool
    ) -> None:
        self.version, self.wire = version, wire
        self.answers: dict[str, list[Any]] = {}
        self.numbers = count(1)
        source = str(Path(__file__).parents[3])
        path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, "-m", package],
            env={**environment, **os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.messages = SimpleQueue[bytes]()
        Thread(target=self.read, daemon=True).start()
        if version != MODERN:
            client = {"name": "client.py", "version": "1"}
            offer = {"capabilities": self.capabilities, "clientInfo": client}
            self.request("initialize", {"protocolVersion": version, **offer})
            self.send({"method": "notifications/initialized"})

    @property
    def capabilities(self) -> Json:
        return {"elicitation": {}, "sampling": {}, "roots": {}}

    def read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.messages.put(line)
        self.messages.put(b"")

    def send(self, message: Json) -> None:
        text = json.dumps({"jsonrpc": "2.0", **message})
        if self.wire:
            print("→", text)
        assert self.process.stdin
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Json:
        try:
            line = self.messages.get(timeout=PATIENCE)
        except Empty:
            raise ServerError("the server does not answer") from None
        if not line:
            raise ServerError("the server has ended")
        if self.wire:
            print("←", line.decode().rstrip())
        message: Json = json.loads(line)
        return message

    def request(self, method: str, params: Json | None = None) -> Json:
        """Return the result of a request. Raises ServerError, also if it is an error."""
        params = params or {}
        if self.version == MODERN:
            meta = {
                META + "protocolVersion": MODERN,
                META + "clientCapabilities": self.capabilities,
            }
            params = {**params, "_meta": meta}
        number = next(self.numbers)
        self.send({"id": number, "method": method, "params": params})
        while (message := self.receive()).get("id") != number or "method" in message:
            if "method" in message and "id" in message:
                self.send({"id": message["id"], **self.answer(message)})
        if error := message.get("error"):
            raise ServerError(error["message"], error["code"])
        result: Json = message["result"]
        if result.get("resultType") != "input_required":
            return result
        asked = result["inputRequests"].items()
        given = {name: self.answer(one).get("result", {}) for name, one in asked}
        more = {"requestState": result.get("requestState"), "inputResponses": given}
        return self.request(method, {**params, **more})

    def answer(self, question: Json) -> Json:
        """Return the answer to a question: what the example has next."""
        kind = question["method"].partition("/")[0]
        left = self.answers.get(kind, [])
        if kind == "roots":
            return {"result": {"roots": []}}
        if kind == "elicitation":
            form = left.pop(0) if left else "cancel"
            if isinstance(form, str):
                return {"result": {"action": form}}
            return {"result": {"action": "accept", "content": form}}
        if not left:
            return {"error": {"code": -1, "message": "the example has no answer left"}}
        content = {"type": "text", "text": left.pop(0)}
        return {"result": {"role": "assistant", "content": content, "model": "example"}}

    def stop(self) -> int:
        """Close the server's input; return its exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()


class Step(NamedTuple):
    """A step of the story, and what is wrong with it, if anything."""

    name: str
    fault: str = ""
    is_to_do: bool = False
    """Whether its handler is still to be written."""


class Story:
    """What the spec says of the server, tried at a server."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.found: dict[str, Any] = {}
        self.listed = {key: self.list_of(key) for key in LISTS if CATALOG.get(key)}

    def list_of(self, key: str) -> list[Any]:
        """Return the names or the URIs of what the server lists."""
        method, name = LISTS[key]
        return [one[name] for one in self.client.request(method)[key]]

    def steps(self) -> Iterator[Step]:
        """Yield each step of the story."""
        yield Step(f"protocol {self.client.version}")
        for key, names in self.listed.items():
            yield Step(f"{key}: {', '.join(names)}")
        for uri in self.listed.get("resources", []):
            yield self.read(uri)
        for example in EXAMPLES:
            yield self.tell(example)
        for tool, arguments in CATALOG.get("invalid", {}).items():
            if tool in self.listed["tools"]:
                refused = text_of(self.call(tool, arguments))
                fault = "" if refused.startswith("Invalid arguments") else refused
                yield Step(f"{tool} refuses invalid arguments", fault)
        if CATALOG.get("tools"):
            yield self.refused("an unknown tool", UNKNOWN_TOOL, "tools/call")
        yield self.refused("an unknown method", UNKNOWN_METHOD, "no/such/method")

    def read(self, uri: str) -> Step:
        try:
            self.client.request("resources/read", {"uri": uri})
        except ServerError as error:
            return Step(uri, str(error), str(error).endswith(TO_DO))
        return Step(f"{uri} is there")

    def refused(self, what: str, code: int, method: str) -> Step:
        try:
            self.client.request(method, {"name": "no_such_tool", "arguments": {}})
        except ServerError as error:
            return Step(f"{what}: {error}", "" if error.code == code else "wrong code")
        return Step(f"{what} is refused", "it is not")

    def tell(self, example: Json) -> Step:
        """Call the tool of an example; return how that ends."""
        name = f"{example['tool']}: {example['name']}"
        if example["tool"] not in self.listed["tools"]:
            return Step(f"{name} (hidden now)")
        try:
            result = self.result_of(example)
        except (LookupError, ServerError) as error:
            return Step(name, str(error))
        text = text_of(result)
        if result.get("isError") and text.endswith(TO_DO):
            return Step(name, "its handler is to be written", is_to_do=True)
        is_expected = bool(result.get("isError")) == example.get("isError", False)
        if not is_expected or text.startswith("Internal error"):
            return Step(name, f"unexpected: {text}")
        if "result" in example:
            given = result.get("structuredContent", text)
            if isinstance(example["result"], str):
                given = text
            if not fits(example["result"], given):
                return Step(name, f"expected {example['result']}, not {given}")
        return Step(f"{name} → {' '.join(text.split()):.60}")

    def result_of(self, example: Json) -> Json:
        """Call the tool of an example, after the examples whose results it needs."""
        for name in re.findall(r'"\$\{([^.{}]+)\.', json.dumps(example["arguments"])):
            if name not in self.found:
                earlier = next(e for e in EXAMPLES if is_called(e, name))
                if (result := self.result_of(earlier)).get("isError"):
                    return result
        answers = example.get("answers", {})
        self.client.answers = {kind: [*left] for kind, left in answers.items()}
        result = self.call(example["tool"], filled_in(example["arguments"], self.found))
        if not result.get("isError"):
            for name in (example["name"], example["tool"]):
                self.found.setdefault(name, result.get("structuredContent"))
        return result

    def call(self, tool: str, arguments: Json) -> Json:
        given = {"name": tool, "arguments": arguments}
        return self.client.request("tools/call", given)


# By the key of the catalog: the method, and what entries are known by.
LISTS = {
    "tools": ("tools/list", "name"),
    "resources": ("resources/list", "uri"),
    "resourceTemplates": ("resources/templates/list", "uriTemplate"),
    "prompts": ("prompts/list", "name"),
}
TO_DO = "is not implemented yet"


def is_called(example: Json, name: str) -> bool:
    return name in (example["name"], example["tool"]) and not example.get("isError")


def filled_in(value: Any, found: dict[str, Any]) -> Any:
    """Return a copy with parts of results for texts such as `${search.hits.0.source}`."""
    if isinstance(value, dict):
        return {key: filled_in(item, found) for key, item in value.items()}
    if isinstance(value, list):
        return [filled_in(item, found) for item in value]
    if not (isinstance(value, str) and re.fullmatch(r"\$\{[^.{}]+\.[^{}]+\}", value)):
        return value
    name, *path = value[2:-1].split(".")
    part: Any = found.get(name)
    try:
        for key in path:
            part = part[int(key) if isinstance(part, list) else key]
    except (LookupError, TypeError, ValueError):
        text = f"the result of {name} has no {'.'.join(path)}"
        raise LookupError(text) from None
    return part


def fits(expected: Any, given: Any) -> bool:
    """Return whether a result has at least what is expected."""
    if isinstance(expected, dict) and isinstance(given, dict):
        return all(key in given and fits(expected[key], given[key]) for key in expected)
    if isinstance(expected, list) and isinstance(given, list):
        return len(expected) == len(given) and all(map(fits, expected, given))
    same_kind = isinstance(expected, bool) == isinstance(given, bool)
    return bool(same_kind and expected == given)


def text_of(result: Json) -> str:
    return "\n".join(block.get("text", block["type"]) for block in result["content"])


@contextmanager
def started(
    package: str,
    version: str = MODERN,
    environment: Mapping[str, str] = {},
    wire: bool = False,
) -> Generator[Story]:
    """Start the server of a package; `environment` is for variables that are not set."""
    client = Client(package, version, environment, wire)
    try:
        yield Story(client)
    finally:
        client.stop()


def main(package: str, environment: Mapping[str, str]) -> None:
    """Try the server, or make one call; exit with 0 if all was as expected."""
    parser = argparse.ArgumentParser(description="Try the server as a client does.")
    parser.add_argument("--protocol", choices=[*LEGACY, MODERN], default=MODERN)
    parser.add_argument("--wire", action="store_true", help="show all messages")
    commands = parser.add_subparsers(dest="command")
    call = commands.add_parser("call", help="make one call and print its result")
    call.add_argument("tool")
    call.add_argument("arguments", type=json.loads, help="a JSON object")
    options = parser.parse_args()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # Not all terminals have arrows.
    try:
        with started(package, options.protocol, environment, options.wire) as story:
            if options.command == "call":
                result = story.call(options.tool, options.arguments)
                print(text_of(result))
                sys.exit(bool(result.get("isError")))
            sys.exit(show(story.steps()))
    except ServerError as error:
        sys.exit(f"FAIL {error}")


def show(steps: Iterator[Step]) -> int:
    """Print each step; return whether one failed."""
    failed, to_do = False, 0
    for step in steps:
        word = "todo" if step.is_to_do else "FAIL" if step.fault else "ok  "
        print(word, step.name, f"- {step.fault}" if step.fault else "")
        failed |= word == "FAIL"
        to_do += step.is_to_do
    if to_do:
        print(f"{to_do} to write")
    return failed
