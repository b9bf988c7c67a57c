"""Warnings about the names and descriptions of tools, resource templates and prompts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scaffold.base.diagnostics.wording import join, quote
from scaffold.spec.format import Spec, Tool
from scaffold.spec.lint.texts import FILLERS, LONGEST_TEXT, stem, too_long, undescribed, words
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


def warnings(spec: Spec, tools: Iterable[Tool]) -> Iterator[Finding]:
    """Yield warnings about these tools, except those about their schemas, and other entries."""
    for tool in tools:
        yield from _name_warnings(spec, tool)
        yield from _text_warnings(tool)
        hints = tool.annotations
        if hints and hints.read_only_hint and hints.destructive_hint:
            at = f"{tool.pointer}/annotations/destructiveHint"
            message = "`readOnlyHint` and `destructiveHint` contradict each other"
            yield Finding(at, "hint-contradiction", message, "keep the one that is right")
        if tool.execution and tool.execution.task_support in ("optional", "required"):
            at = f"{tool.pointer}/execution/taskSupport"
            message = "the server has no tasks, so clients call the tool as any other"
            yield Finding(at, "no-tasks", message, "remove `taskSupport`, or write `forbidden`")
    yield from _entry_warnings(spec)


def _name_warnings(spec: Spec, tool: Tool) -> Iterator[Finding]:
    at, name, together = f"{tool.pointer}/name", quote(tool.name), len(spec.name) + len(tool.name)
    if len(tool.name) > LONGEST_NAME:
        limit = f"OpenAI and Gemini models accept at most {LONGEST_NAME}"
        message = f"{name} has {len(tool.name)} characters; {limit}"
        yield Finding(at, "long-name", message, "shorten it")
    elif together >= LONGEST_NAMES:
        limit = f"Cursor omits tools with {LONGEST_NAMES} or more"
        message = f"{name} and the server's name have {together} characters together; {limit}"
        yield Finding(at, "long-name", message, "shorten one of them")
    if not _FUNCTION.fullmatch(tool.name):
        bad = sorted(set(re.findall(r"[^A-Za-z0-9_-]", tool.name)))
        message = f"{name} begins with `{tool.name[0]}`, which Gemini models reject"
        if bad:
            message = f"{name} has {join(bad, 'and')}, which OpenAI and Anthropic models reject"
        hint = "start with a letter, and use only letters, digits, `_` and `-`"
        yield Finding(at, "unportable-name", message, hint)


def _text_warnings(tool: Tool) -> Iterator[Finding]:
    at, text = f"{tool.pointer}/description", tool.description or ""
    advice = "say what it does, when to use it, and what it returns"
    if len(text) > LONGEST_TEXT:
        yield too_long(at, "the description has", len(text))
    if tool.name.lower() in _VAGUE_NAMES:
        message = f"the name {quote(tool.name)} does not say what the tool does"
        hint = "name the action and what it acts on: `search_posts`"
        yield Finding(f"{tool.pointer}/name", "vague-name", message, hint)
    if not text.strip():
        message = f"tool {quote(tool.name)} has no description for models to choose it by"
        yield Finding(at, "no-description", message, advice, at_key=True)
        return
    known = FILLERS | {stem(word) for word in words(f"{tool.name} {tool.title or ''}")}
    if all(word in FILLERS or stem(word) in known for word in words(text)):
        yield Finding(at, "vague-description", "the description only repeats the name", advice)


def _entry_warnings(spec: Spec) -> Iterator[Finding]:
    """Yield templates whose handlers must check paths, and prompts without descriptions."""
    for template in spec.resource_templates:
        if template.unsafe:
            message = f"the handler of {quote(template.name)} gets unsafe paths such as `../secret`"
            hint = "remove `unsafe`, or check all variables in the handler and ignore this warning"
            yield Finding(
                f"{template.pointer}/unsafe", "unsafe-template", message, hint, at_key=True
            )
    for prompt in spec.prompts:
        if not (prompt.description or "").strip():
            message = f"prompt {quote(prompt.name)} has no description for people to choose it by"
            hint = "say what it asks the model to do"
            yield Finding(prompt.pointer, "no-description", message, hint, at_key=True)
        silent = [a.name for a in prompt.arguments if not (a.description or a.title or "").strip()]
        if silent:
            at, why = f"{prompt.pointer}/arguments", "so people must guess what to fill in"
            yield undescribed(at, silent, len(prompt.arguments), why)
