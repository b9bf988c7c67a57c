"""Warnings about tool names and descriptions that clients reject or models cannot use."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold.diagnostics.wording import join, quote
from scaffold.spec.format import Spec, Tool
from scaffold.spec.lint.phrases import FILLERS, LONGEST_TEXT, stem, too_long, words
from scaffold.spec.lint.subject import Subject
from scaffold.yaml.finding import Finding

LONGEST_NAME = 64
"""The maximum length of a function name in OpenAI and Gemini."""
LONGEST_NAMES = 60
"""The length of server and tool name together at which Cursor leaves out a tool."""
_FUNCTION = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_VAGUE_NAMES = frozenset({
    "action", "call", "command", "data", "do", "exec", "execute", "func", "function", "handle",
    "handler", "helper", "invoke", "main", "misc", "operation", "perform", "process", "run",
    "task", "test", "thing", "tool", "util", "utility", "utils", "work",
})  # fmt: skip


def warnings(subject: Subject) -> Iterator[Finding]:
    """Yield warnings about tools, except those about their schemas."""
    for tool in subject.tools:
        yield from _name_warnings(subject.spec, tool)
        yield from _text_warnings(tool)
        yield from _hint_warnings(tool)


def _name_warnings(spec: Spec, tool: Tool) -> Iterator[Finding]:
    together = len(spec.name) + len(tool.name)
    if len(tool.name) > LONGEST_NAME:
        yield Finding(
            f"{tool.pointer}/name",
            "long-name",
            f"{quote(tool.name)} has {len(tool.name)} characters; OpenAI and Gemini models refuse "
            f"more than {LONGEST_NAME}",
            "shorten it",
        )
    elif together >= LONGEST_NAMES:
        yield Finding(
            f"{tool.pointer}/name",
            "long-name",
            f"{quote(tool.name)} and the server's name have {together} characters together; Cursor "
            f"leaves out tools with {LONGEST_NAMES} and more",
            "shorten one of them",
        )
    if not _FUNCTION.fullmatch(tool.name):
        first = tool.name[0]
        bad = sorted(set(re.findall(r"[^A-Za-z0-9_-]", tool.name)))
        yield Finding(
            f"{tool.pointer}/name",
            "unportable-name",
            f"{quote(tool.name)} has {join(bad, 'and')}, which OpenAI and Anthropic models "
            "refuse in a name"
            if bad
            else f"{quote(tool.name)} begins with `{first}`, which Gemini models refuse in a name",
            "use letters, digits, `_` and `-`, a letter first; clients that know better rename it",
        )
    if len(tool.description or "") > LONGEST_TEXT:
        yield too_long(
            f"{tool.pointer}/description", "the description has", len(tool.description or "")
        )


def _text_warnings(tool: Tool) -> Iterator[Finding]:
    if tool.name.lower() in _VAGUE_NAMES:
        yield Finding(
            f"{tool.pointer}/name",
            "vague-name",
            f"the name {quote(tool.name)} does not say what the tool does",
            "name the action and what it acts on: `search_posts`",
        )
    if not (tool.description or "").strip():
        yield Finding(
            f"{tool.pointer}/description",
            "no-description",
            f"{quote(tool.name)} has no description, by which models choose a tool",
            "say what it does, when to use it, and what it gives back",
            at_key=True,
        )
    elif not _says_something(tool):
        yield Finding(
            f"{tool.pointer}/description",
            "vague-description",
            "the description says no more than the name",
            "say what the tool does, when to use it, and what it gives back",
        )


def _hint_warnings(tool: Tool) -> Iterator[Finding]:
    hints = tool.annotations
    if hints and hints.read_only_hint and hints.destructive_hint:
        yield Finding(
            f"{tool.pointer}/annotations/destructiveHint",
            "hint-contradiction",
            "a tool that only reads destroys nothing: `readOnlyHint` and `destructiveHint` are both "
            "true",
            "keep the one that is right",
        )


def _says_something(tool: Tool) -> bool:
    known = FILLERS | {stem(word) for word in words(f"{tool.name} {tool.title or ''}")}
    return any(
        stem(word) not in known for word in words(tool.description or "") if word not in FILLERS
    )
