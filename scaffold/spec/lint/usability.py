"""What makes it hard for a model to choose a tool, or to call it right."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from scaffold.spec.document import pointer
from scaffold.spec.finding import Finding, listing, shown
from scaffold.spec.model import Prompt, Spec, Tool
from scaffold.spec.subschemas import Index, UnresolvedError, references

MOST_TOKENS = 20_000
"""Tokens of a tool list: a tenth of a context of 200,000, where Claude Code begins to defer."""
CHARACTERS_A_TOKEN = 4
"""A rule of thumb for English and JSON; each model counts in its own way."""

FAR = 100

_VAGUE_NAMES = frozenset({
    "action", "call", "command", "data", "do", "exec", "execute", "func", "function", "handle",
    "handler", "helper", "invoke", "main", "misc", "operation", "perform", "process", "run",
    "task", "test", "thing", "tool", "util", "utility", "utils", "work",
})  # fmt: skip
_FILLERS = frozenset({
    "a", "an", "and", "as", "by", "can", "do", "does", "for", "from", "function", "in", "is",
    "it", "its", "of", "on", "or", "perform", "performs", "server", "that", "the", "this", "to",
    "tool", "use", "used", "uses", "using", "will", "with", "you", "your",
})  # fmt: skip
_CHOICES = re.compile(
    r"(?:\bone of(?: the following)?|\b(?:valid|allowed|possible|supported|accepted) "
    r"(?:values|options|choices)(?: are| include)?|\boptions)[:\s]+"
    r"(?P<choices>(?:['\"`][\w.-]{1,30}['\"`](?:\s*(?:,|\||/|\bor\b|\band\b)\s*)*){2,8})"
    r"(?![\s,]*(?:etc|e\.g|\.\.|…|['\"`\w]))",
    re.IGNORECASE,
)


def list_warnings(spec: Spec) -> Iterator[Finding]:
    """What concerns the list of tools as a whole."""
    characters = sum(len(json.dumps(tool.wire)) for tool in spec.tools)
    tokens = characters // CHARACTERS_A_TOKEN
    if tokens > MOST_TOKENS:
        yield Finding(
            "/tools",
            "large-tool-list",
            f"the list of tools takes about {tokens:,} tokens of a model's context (an estimate: "
            f"{CHARACTERS_A_TOKEN} characters a token)",
            "shorten descriptions and schemas, or split the server",
        )
    seen: dict[str, str] = {}
    for number, tool in enumerate(spec.tools):
        text = " ".join(
            _stem(word) for word in _words(tool.description or "") if word not in _FILLERS
        )
        if text and text in seen:
            yield Finding(
                f"/tools/{number}/description",
                "same-description",
                f"{shown(tool.name)} and {shown(seen[text])} have the same description, and a "
                "model cannot tell which to call",
                "say in each what the other does not do",
            )
        seen.setdefault(text, tool.name)


def tool_warnings(tool: Tool, index: Index, at: str) -> Iterator[Finding]:
    """What concerns one tool."""
    if tool.name.lower() in _VAGUE_NAMES:
        yield Finding(
            f"{at}/name",
            "vague-name",
            f"the name {shown(tool.name)} does not say what the tool does",
            "name the action and what it acts on: `search_posts`",
        )
    if not (tool.description or "").strip():
        yield Finding(
            f"{at}/description",
            "no-description",
            f"{shown(tool.name)} has no description, by which models choose a tool",
            "say what it does, when to use it, and what it gives back",
            at_key=True,
        )
    elif not _says_something(tool):
        yield Finding(
            f"{at}/description",
            "vague-description",
            "the description says no more than the name",
            "say what the tool does, when to use it, and what it gives back",
        )
    yield from _argument_warnings(index, f"{at}/inputSchema")


def prompt_warnings(prompt: Prompt, at: str) -> Iterator[Finding]:
    """What concerns one prompt."""
    if not (prompt.description or "").strip():
        yield Finding(
            at,
            "no-description",
            f"{shown(prompt.name)} has no description, by which people choose a prompt",
            "say what it asks the model to do",
            at_key=True,
        )
    silent = [a.name for a in prompt.arguments if not (a.description or a.title or "").strip()]
    if silent:
        yield Finding(
            f"{at}/arguments",
            "undescribed-argument",
            f"{_arguments(silent, len(prompt.arguments))} without a description, which clients "
            "show where people fill it in",
            "add `description:`",
            at_key=True,
        )


def _argument_warnings(index: Index, at: str) -> Iterator[Finding]:
    properties: Mapping[str, Any] = index.root.get("properties", {})
    silent = [name for name in properties if not _described(index, f"/properties{pointer(name)}")]
    if silent:
        yield Finding(
            f"{at}/properties{pointer(silent[0])}",
            "undescribed-argument",
            f"{_arguments(silent, len(properties))} without a description, from which models learn "
            "what to pass",
            "add `description:`",
            at_key=True,
        )
    for subschema in index.all.values():
        text = subschema.schema.get("description")
        if subschema.schema.get("type") != "string" or not isinstance(text, str):
            continue
        if {"enum", "const", "pattern", "format", "oneOf", "anyOf"} & subschema.schema.keys():
            continue
        if found := _CHOICES.search(text):
            choices = re.findall(r"['\"`]([\w.-]+)['\"`]", found["choices"])
            if properties.keys() & set(choices):
                continue  # these are other arguments
            yield Finding(
                f"{at}{subschema.pointer}/description",
                "choices-in-text",
                f"the description lists what can be passed: {listing(choices)}; nothing keeps a "
                "model to it",
                f"add `enum: [{', '.join(choices)}]`, if these are all",
            )


def _described(index: Index, at: str) -> bool:
    """Whether a description stands at a schema, or at what it refers to or is made of.

    No person looks further than `FAR` schemas for one, nor do we.
    """
    subschema = index.all.get(at)
    if subschema is None:
        return True  # `true` and `false` have no room for one
    seen = {at}
    waiting = [subschema]
    while waiting and len(seen) < FAR:
        here = waiting.pop()
        if here.schema.get("description") or here.schema.get("title") or "const" in here.schema:
            return True
        following = [child.pointer for child in index.children(here, in_place=True)]
        for _, reference in references(here):
            try:
                following.append(index.resolve(here, reference))
            except UnresolvedError:
                continue
        for target in following:
            if target not in seen and target in index.all:
                seen.add(target)
                waiting.append(index.all[target])
    return False


def _says_something(tool: Tool) -> bool:
    known = _FILLERS | {_stem(word) for word in _words(f"{tool.name} {tool.title or ''}")}
    return any(
        _stem(word) not in known for word in _words(tool.description or "") if word not in _FILLERS
    )


def _words(text: str) -> list[str]:
    """The words of a text or a name, in small letters: `getUser` has two."""
    return re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).lower())


def _stem(word: str) -> str:
    return re.sub(r"(ies|es|s|ing|ed|e|y)$", "", word)


def _arguments(silent: list[str], total: int) -> str:
    names = listing(silent[:4], "and") + (" and others" if silent[4:] else "")
    if total == 1:
        return f"the argument {names} is"
    return f"{len(silent)} of {total} arguments ({names}) {'is' if len(silent) == 1 else 'are'}"
