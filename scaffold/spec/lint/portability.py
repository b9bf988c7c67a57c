"""What is right by MCP and JSON Schema, and yet refused or cut short by a client or a model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from scaffold.spec.document import pointer
from scaffold.spec.finding import Finding, listing, shown
from scaffold.spec.mismatch import literal
from scaffold.spec.model import Spec, Tool, Transport
from scaffold.spec.subschemas import Index, UnresolvedError, references

LONGEST_NAME = 64
"""Characters of a function's name: OpenAI, Gemini."""
LONGEST_NAMES = 60
"""Characters of the server's and the tool's name together: Cursor."""
LONGEST_TEXT = 2048
"""Characters of a description, and of the instructions, that Claude Code passes on."""
MOST_TOOLS = 128
"""Tools in one request: OpenAI, and Visual Studio Code."""

_FUNCTION = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_PROPERTY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_EXACT = 2**53


def server_warnings(spec: Spec) -> Iterator[Finding]:
    """What concerns the server as a whole."""
    if len(spec.tools) > MOST_TOOLS:
        yield Finding(
            "/tools",
            "too-many-tools",
            f"{len(spec.tools)} tools are more than the {MOST_TOOLS} that OpenAI models and "
            "Visual Studio Code take in one request",
            "split the server, so that people connect only what they use",
        )
    if len(spec.instructions or "") > LONGEST_TEXT:
        yield _cut("/instructions", "the instructions have", len(spec.instructions or ""))
    if Transport.SSE in spec.transports and Transport.STREAMABLE_HTTP not in spec.transports:
        yield Finding(
            f"/transports/{spec.transports.index(Transport.SSE)}",
            "sse-only",
            "SSE is deprecated since MCP 2026-07-28, and it is the only way to reach the server "
            "over HTTP",
            "add `streamable-http`",
        )


def tool_warnings(spec: Spec, tool: Tool, at: str) -> Iterator[Finding]:
    """What concerns a tool but for its schemas."""
    together = len(spec.name) + len(tool.name)
    if len(tool.name) > LONGEST_NAME:
        yield Finding(
            f"{at}/name",
            "long-name",
            f"{shown(tool.name)} has {len(tool.name)} characters; OpenAI and Gemini models refuse "
            f"more than {LONGEST_NAME}",
            "shorten it",
        )
    elif together >= LONGEST_NAMES:
        yield Finding(
            f"{at}/name",
            "long-name",
            f"{shown(tool.name)} and the server's name have {together} characters together; Cursor "
            f"leaves out tools with {LONGEST_NAMES} and more",
            "shorten one of them",
        )
    if not _FUNCTION.fullmatch(tool.name):
        first = tool.name[0]
        bad = sorted(set(re.findall(r"[^A-Za-z0-9_-]", tool.name)))
        yield Finding(
            f"{at}/name",
            "unportable-name",
            f"{shown(tool.name)} has {listing(bad, 'and')}, which OpenAI and Anthropic models "
            "refuse in a name"
            if bad
            else f"{shown(tool.name)} begins with `{first}`, which Gemini models refuse in a name",
            "use letters, digits, `_` and `-`, a letter first; clients that know better rename it",
        )
    if len(tool.description or "") > LONGEST_TEXT:
        yield _cut(f"{at}/description", "the description has", len(tool.description or ""))


def input_warnings(index: Index, at: str) -> Iterator[Finding]:
    """What concerns the schema of a tool's arguments."""
    for keyword in ("oneOf", "anyOf", "allOf"):
        if keyword in index.root:
            yield Finding(
                f"{at}/{keyword}",
                "root-composition",
                f"Anthropic models refuse `{keyword}` at the root of a tool's schema, and Claude "
                "Code leaves such a tool out",
                "say it in the descriptions, or move the choice into a property",
                at_key=True,
            )
    for name in index.root.get("properties", {}):
        if not _PROPERTY.fullmatch(name):
            yield Finding(
                f"{at}/properties{pointer(name)}",
                "unportable-argument",
                f"the argument name {shown(name)} makes Anthropic models refuse the whole request",
                "use 1 to 64 letters, digits, `_`, `.` and `-`",
                at_key=True,
            )
    for subschema in index.all.values():
        schema, here = subschema.schema, at + subschema.pointer
        if "array" in _types(schema) and not {"items", "prefixItems", "$ref"} & schema.keys():
            yield Finding(
                f"{here}/type",
                "array-without-items",
                "OpenAI models and Visual Studio Code refuse a tool with a list whose `items` are "
                "not described",
                "add `items:` with the schema of one item, such as `{type: string}`",
            )
        if isinstance(enum := schema.get("enum"), list):
            yield from _enum_warnings(enum, f"{here}/enum")
    yield from _recursion(index, at)


def output_warnings(schema: Any, at: str) -> Iterator[Finding]:
    """What concerns the schema of a tool's result."""
    if schema.get("type") != "object":
        yield Finding(
            at,
            "output-not-object",
            "clients older than MCP 2026-07-28 know only results of `type: object`; from them the "
            "server keeps this schema, and they get the value as text alone",
            "put the value into a property of an object",
            at_key=True,
        )


def number_warnings(index: Index, at: str) -> Iterator[Finding]:
    """Numbers that JavaScript clients round."""
    for subschema in index.all.values():
        for keyword, value in subschema.schema.items():
            if type(value) is int and abs(value) > _EXACT:
                yield Finding(
                    f"{at}{subschema.pointer}{pointer(keyword)}",
                    "inexact-number",
                    f"`{value}` is beyond 2^53, and clients written in JavaScript round it",
                    "choose a smaller number, or pass such values as text",
                )


def _enum_warnings(enum: list[Any], here: str) -> Iterator[Finding]:
    if not enum:
        yield Finding(
            here,
            "empty-enum",
            "an empty `enum` allows nothing, and Gemini models refuse it",
            "list the values, or remove `enum`",
        )
    elif odd := [value for value in enum if not isinstance(value, str)]:
        yield Finding(
            here,
            "non-string-enum",
            f"Gemini models refuse the value {literal(odd[0])} in `enum`: "
            "there, only texts can be listed",
            "list texts, or describe the values in `description`",
        )
    elif "" in enum:
        yield Finding(
            f"{here}/{enum.index('')}",
            "empty-enum",
            "Gemini models refuse an empty text in `enum`",
            "remove it, and let the argument be left out",
        )


def _recursion(index: Index, at: str) -> Iterator[Finding]:
    """References that lead back to a schema they stand in."""
    for subschema in index.all.values():
        for keyword, reference in references(subschema):
            try:
                target = index.resolve(subschema, reference)
            except UnresolvedError:
                continue
            if f"{subschema.pointer}/".startswith(f"{target}/"):
                yield Finding(
                    f"{at}{subschema.pointer}/{keyword}",
                    "recursive-schema",
                    "this schema contains itself, and Gemini models refuse that",
                    "write out the levels that are needed",
                )
                return


def _types(schema: Any) -> list[str]:
    kinds = schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else kinds


def _cut(at: str, what: str, length: int) -> Finding:
    return Finding(
        at,
        "long-description",
        f"{what} {length:,} characters, and Claude Code passes on the first {LONGEST_TEXT:,}",
        "shorten it, or say what matters first",
    )
