"""A Dockerfile as the instructions that make its image."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from scaffold.yaml.document import Document

_INSTRUCTION = re.compile(
    r"^[ \t]*(?P<name>[A-Za-z]+)[ \t]+(?P<rest>(?:[^\n\\]|\\(?:[ \t]*\n|.))*)", re.MULTILINE
)
_STAGE = re.compile(r"(?:--\S+\s+)*(?P<base>\S+)(?:\s+[Aa][Ss]\s+(?P<alias>\S+))?")
_LABEL = re.compile(
    r"(?:^|\s)\"?(?P<key>[\w.-]+)\"?(?:=|[ \t]+)(?P<value>\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s\"']+)"
)


class Instruction(Struct, frozen=True):
    """An instruction, in capitals, its arguments, and their span in the text."""

    name: str
    rest: str
    start: int
    end: int


class Label(Struct, frozen=True):
    """A label with the span of its value, which is written with or without quotes."""

    key: str
    value: str
    start: int
    end: int


class Dockerfile(Struct, frozen=True):
    """The instructions that make the image, those of the stages it is based on first.

    `last` is the `FROM` of its own stage.
    """

    document: Document
    last: Instruction | None
    instructions: tuple[Instruction, ...]

    @classmethod
    def parse(cls, document: Document) -> Dockerfile:
        """Parse a Dockerfile as far as checks need it."""
        stages: dict[str, list[Instruction]] = {}
        made: list[Instruction] = []
        last = None
        for one in _instructions(document.text):
            if one.name != "FROM":
                made.append(one)
            elif found := _STAGE.match(one.rest):
                last, made = one, [*stages.get(found["base"].lower(), ())]
                if alias := found["alias"]:
                    stages[alias.lower()] = made
        return cls(document, last, tuple(made))

    def named(self, name: str) -> Sequence[Instruction]:
        """Return the instructions of a name, in order."""
        return [one for one in self.instructions if one.name == name]

    @property
    def labels(self) -> Iterator[Label]:
        """The labels of the image."""
        for one in self.named("LABEL"):
            for found in _LABEL.finditer(one.rest):
                start, end = (one.start + at for at in found.span("value"))
                value = re.sub(r"\\(.)", r"\1", found["value"].strip("\"'"))
                yield Label(found["key"], value, start, end)


def _instructions(text: str) -> Iterator[Instruction]:
    for found in _INSTRUCTION.finditer(text):
        yield Instruction(found["name"].upper(), found["rest"].rstrip(), *found.span("rest"))
