"""A Dockerfile as Docker reads it: its instructions, and those that make the image."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from scaffold.publish.dockerwords import Value, Variables, expanded, split
from scaffold.yaml.document import Document

_DIRECTIVE = re.compile(r"#[ \t]*(?P<name>[A-Za-z]\w*)[ \t]*=[ \t]*(?P<value>\S.*)")
_INSTRUCTION = re.compile(r"\s*(?P<name>\S+)\s*(?P<rest>.*)", re.DOTALL)
_HEREDOC = re.compile(r"\d*<<(?P<dash>-?)(?P<quote>[\"']?)(?P<end>\w+)(?P=quote)")
_KEY = re.compile(r"(?P<key>\"[^\"]*\"|'[^']*'|[^\s=\"']+)(?:(?P<equals>=)|\s+|$)")
_OF_PLATFORMS = re.compile(r"(TARGET|BUILD)(PLATFORM|OS|OSVERSION|ARCH|VARIANT)")
_WITH_HEREDOCS = ("ADD", "COPY", "RUN")


class Word(NamedTuple):
    """A word of an instruction, or the value of a key, and the span of what is written."""

    value: Value
    start: int
    end: int


class Instruction(Struct, frozen=True):
    """An instruction: its name in capitals, and its arguments in one line.

    `offsets` are the places of the characters of `rest` in the file, and of its end. `variables`
    are those that it can use. One without an end has a here-document that is not closed.
    """

    name: str
    rest: str
    offsets: Sequence[int]
    escape: str
    variables: Variables
    has_end: bool = True

    @property
    def start(self) -> int:
        """Where the arguments begin in the file."""
        return self.offsets[0]

    @property
    def end(self) -> int:
        """Where the arguments end in the file."""
        return self.offsets[-1]

    @property
    def words(self) -> Sequence[Word]:
        """The arguments, without the options before them, such as `--from=build`."""
        spans = [*split(self.rest, self.escape)]
        while spans and self.rest.startswith("--", spans[0][0]):
            spans.pop(0)
        return [self._word(*span) for span in spans]

    @property
    def settings(self) -> Iterator[tuple[str, Word]]:
        """The keys that `ENV`, `LABEL` or `ARG` sets, with their values."""
        for start, end in split(self.rest, self.escape):
            found = _KEY.match(self.rest, start)
            if found is None:
                continue
            is_whole = found["equals"] is None and self.name != "ARG"  # `ENV KEY the value`
            stop = len(self.rest) if is_whole else end
            key = expanded(found["key"], self.escape, self.variables).text
            if key is not None:
                yield key, self._word(min(found.end(), stop), stop)
            if is_whole:
                return

    @property
    def command(self) -> Sequence[str] | None:
        """The words of a command in brackets; None if a shell runs it."""
        try:
            found = json.loads(self.rest)
        except ValueError:
            return None
        is_command = isinstance(found, list) and all(isinstance(one, str) for one in found)
        return found if is_command else None

    def _word(self, start: int, end: int) -> Word:
        value = expanded(self.rest[start:end], self.escape, self.variables)
        return Word(value, self.offsets[start], self.offsets[end])


class _Stage(NamedTuple):
    """What a stage is made by, and the variables at its end."""

    instructions: tuple[Instruction, ...]
    arguments: Variables
    environment: Variables

    def with_(self, one: Instruction, given: Variables) -> _Stage:
        """Return the stage with one more instruction; `given` are the arguments of all stages."""
        one = replace(one, variables={**self.arguments, **self.environment})
        made = (*self.instructions, one)
        if one.name == "ENV":
            added = {key: word.value for key, word in one.settings}
            return _Stage(made, self.arguments, {**self.environment, **added})
        if one.name == "ARG":
            return _Stage(made, {**self.arguments, **_arguments(one, given)}, self.environment)
        return _Stage(made, self.arguments, self.environment)


class Dockerfile(Struct, frozen=True):
    """The instructions of a Dockerfile, and of them those that make the image.

    These are those of the last stage, after those of the stages it is based on. `last` is its
    `FROM`. `environment` are the variables that the image sets.
    """

    document: Document
    every: tuple[Instruction, ...]
    last: Instruction | None
    instructions: tuple[Instruction, ...]
    environment: Variables

    @classmethod
    def parse(cls, document: Document) -> Dockerfile:
        """Parse a Dockerfile as far as checks need it."""
        every = tuple(_instructions(document.text))
        stages: dict[str, _Stage] = {}
        given: Variables = {}
        name, last, stage = "", None, _Stage((), {}, {})
        for one in every:
            if one.name == "FROM":
                last = replace(one, variables=given)
                words = [word.value.text or "" for word in last.words]
                stage = stages.get(words[0].lower(), _Stage((), {}, {})) if words else stage
                name = words[2].lower() if words[2:] else ""
            elif last:
                stage = stage.with_(one, given)
            elif one.name == "ARG":
                given = {**given, **_arguments(one, {})}
            stages[name] = stage
        return cls(document, every, last, stage.instructions, stage.environment)

    def named(self, name: str) -> Sequence[Instruction]:
        """Return the instructions of a name that make the image, in order."""
        return [one for one in self.instructions if one.name == name]

    @property
    def labels(self) -> Iterator[tuple[str, Word]]:
        """The labels of the image, with their values."""
        for one in self.named("LABEL"):
            yield from one.settings


def _arguments(one: Instruction, given: Variables) -> Mapping[str, Value]:
    """Return the build arguments that an instruction declares: anyone who builds can set them."""
    found: dict[str, Value] = {}
    for name, word in one.settings:
        default = word.value.text
        if "=" not in one.rest:
            known = None if _OF_PLATFORMS.fullmatch(name) else ""
            default = given[name].text if name in given else known
        found[name] = Value(default, is_fixed=False)
    return found


def _instructions(text: str) -> Iterator[Instruction]:
    """Yield the instructions of a file: lines are joined, comments and here-documents left out."""
    escape = _escape(text)
    lines = ((found.start(), found[0]) for found in re.finditer(r"[^\n]+", text))
    for start, line in lines:
        if _is_skipped(line):
            continue
        written, offsets = _joined(start, line, lines, escape)
        found = _INSTRUCTION.fullmatch(written.rstrip())
        if found is None:  # nothing but the escape character
            continue
        name, (begin, end) = found["name"].upper(), found.span("rest")
        places = (*offsets[begin:end], offsets[end - 1] + 1)
        has_end = name not in _WITH_HEREDOCS or _has_end(found["rest"], lines, escape)
        yield Instruction(name, found["rest"], places, escape, {}, has_end)


def _escape(text: str) -> str:
    """Return the escape character, which a comment at the beginning can change."""
    for line in text.split("\n"):
        found = _DIRECTIVE.fullmatch(line.strip())
        if found is None:
            break
        if found["name"].lower() == "escape" and found["value"] == "`":
            return "`"
    return "\\"


def _is_skipped(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _joined(
    start: int, line: str, lines: Iterator[tuple[int, str]], escape: str
) -> tuple[str, Sequence[int]]:
    """Return a line and those that continue it, with the places of the characters."""
    e = re.escape(escape)
    written, offsets = "", list[int]()
    while True:
        body = re.sub(rf"(?<!{e}){e}[ \t]*$", "", line)
        written, offsets = written + body, [*offsets, *range(start, start + len(body))]
        more = (one for one in lines if not _is_skipped(one[1]))
        following = next(more, None) if body != line else None
        if following is None:
            return written, offsets
        start, line = following


def _has_end(rest: str, lines: Iterator[tuple[int, str]], escape: str) -> bool:
    """Skip the here-documents that follow an instruction; return whether all are closed."""
    words = [_HEREDOC.fullmatch(rest, *span) for span in split(rest, escape)]
    return all(
        any((line.lstrip("\t") if word["dash"] else line) == word["end"] for _, line in lines)
        for word in words
        if word
    )
