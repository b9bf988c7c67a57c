# Copyright Acme Ltd. All rights reserved.
"""The examples of the spec: each is done once, after those that it needs."""

import re
from collections.abc import AsyncGenerator, Callable
from typing import Any

from .checks import CATALOG, MAX_LOG, Check, Checks, Outcome, UsageError, parsed, shown

EXAMPLES: list[dict[str, Any]] = CATALOG["examples"]
NOT_WRITTEN = "This is not written yet"
NEEDS_TASKS = "This needs a client that supports tasks"


class ExampleChecks(Checks):
    """Checks that include the examples, in the order of the spec."""

    may_write = True
    """Whether examples may change what the server keeps."""

    def __init__(self) -> None:
        super().__init__()
        self.count_requests: Callable[[], int] = lambda: 0  # To made-up addresses.
        self.results: dict[int, Any] = {}

    async def offers(self) -> AsyncGenerator[Check]:
        async for check in super().offers():
            yield check
        if not self.may_write:
            yield "skip", "the examples - they need --real, for some write"
        for number in range(len(EXAMPLES) if self.may_write else 0):
            yield await self.example(number)

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
