"""Warnings about tool arguments that clients reject or models cannot understand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scaffold.base.diagnostics.wording import join, quote
from scaffold.schema.index import Index
from scaffold.schema.mismatch import literal
from scaffold.schema.resolver import Subschema
from scaffold.schema.types import texts
from scaffold.spec.format import Tool
from scaffold.spec.lint.texts import undescribed
from scaffold.yaml.finding import Finding

_PROPERTY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_ITEMS = {"items", "prefixItems", "$ref"}
"""Keywords that describe the items of an array."""

FAR = 100
"""The maximum number of schemas searched for one description."""

_CHOICES = re.compile(
    r"(?:\bone of(?: the following)?|\b(?:valid|allowed|possible|supported|accepted) "
    r"(?:values|options|choices)(?: are| include)?|\boptions)[:\s]+"
    r"(?P<choices>(?:['\"`][\w.-]{1,30}['\"`](?:\s*(?:,|\||/|\bor\b|\band\b)\s*)*){2,8})"
    r"(?![\s,]*(?:etc|e\.g|\.\.|…|['\"`\w]))",
    re.IGNORECASE,
)


def warnings(tools: Iterable[Tool]) -> Iterator[Finding]:
    """Yield warnings about the arguments of tools."""
    for tool in tools:
        at = f"{tool.pointer}/inputSchema"
        yield from _client_warnings(tool.arguments, at)
        yield from _model_warnings(tool.arguments, at)


def _client_warnings(index: Index, at: str) -> Iterator[Finding]:
    for keyword in ("oneOf", "anyOf", "allOf"):
        if keyword in index.root.keywords:
            message = f"Anthropic models reject `{keyword}` here, and Claude Code omits the tool"
            hint = "explain it in the descriptions, or move the choice into a property"
            yield Finding(f"{at}/{keyword}", "root-composition", message, hint, at_key=True)
    for one in index.members:
        described = one.schemas or one.variants
        if described and not _PROPERTY.fullmatch(one.name):
            here = at + described[0].pointer
            message = f"Anthropic models reject requests with the argument name {quote(one.name)}"
            hint = "use 1 to 64 letters, digits, `_`, `.` and `-`"
            yield Finding(here, "unportable-argument", message, hint, at_key=True)
    for subschema in index.all.values():
        schema, here = subschema.keywords, at + subschema.pointer
        if "array" in texts(schema.get("type")) and not _ITEMS & schema.keys():
            message = "OpenAI models and Visual Studio Code reject arrays without `items`"
            hint = "add `items:` with the schema of one item, such as `{type: string}`"
            yield Finding(f"{here}/type", "array-without-items", message, hint)
        if isinstance(enum := schema.get("enum"), list):
            yield from _enum_warnings(enum, f"{here}/enum")
    yield from _recursion(index, at)


def _enum_warnings(enum: list[Any], here: str) -> Iterator[Finding]:
    if not enum:
        message = "an empty `enum` allows no value, and Gemini models reject it"
        yield Finding(here, "empty-enum", message, "list the values, or remove `enum`")
    elif odd := [value for value in enum if not isinstance(value, str)]:
        message = f"Gemini models reject {literal(odd[0])}: their `enum` can only list strings"
        hint = "list strings, or describe the values in `description`"
        yield Finding(here, "non-string-enum", message, hint)
    elif "" in enum:
        message = "Gemini models reject an empty string in `enum`"
        hint = "remove it, and make the argument optional"
        yield Finding(f"{here}/{enum.index('')}", "empty-enum", message, hint)


def _recursion(index: Index, at: str) -> Iterator[Finding]:
    """Yield the first reference to a schema that contains it."""
    for subschema in index.all.values():
        for keyword, target in index.references(subschema).items():
            if isinstance(target, Subschema) and f"{subschema.pointer}/".startswith(
                f"{target.pointer}/"
            ):
                here = f"{at}{subschema.pointer}/{keyword}"
                message = "this schema contains itself, which Gemini models reject"
                yield Finding(here, "recursive-schema", message, "write out the levels you need")
                return


def _model_warnings(index: Index, at: str) -> Iterator[Finding]:
    described = [one for one in index.members if one.schemas]
    silent = [one for one in described if not _described(index, one.schemas)]
    if silent:
        here, names = at + silent[0].schemas[0].pointer, [one.name for one in silent]
        yield undescribed(here, names, len(described), "so models must guess what to pass")
    others = {one.name for one in described}
    for subschema in index.all.values():
        schema = subschema.keywords
        text = schema.get("description")
        if schema.get("type") != "string" or not isinstance(text, str):
            continue
        if {"enum", "const", "pattern", "format", "oneOf", "anyOf"} & schema.keys():
            continue
        if found := _CHOICES.search(text):
            choices = re.findall(r"['\"`]([\w.-]+)['\"`]", found["choices"])
            if others & set(choices):
                continue  # names of other arguments
            here = f"{at}{subschema.pointer}/description"
            message = f"the description lists the values {join(choices)}, but any string is valid"
            hint = f"add `enum: [{', '.join(choices)}]` if the list is complete"
            yield Finding(here, "choices-in-text", message, hint)


def _described(index: Index, schemas: Sequence[Subschema]) -> bool:
    """Return whether a value is described by its schemas or others that apply to it."""
    seen = {schema.pointer: schema for schema in schemas}
    waiting = list(schemas)
    while waiting and len(seen) < FAR:
        here = waiting.pop()
        keywords = here.keywords
        if isinstance(here.schema, bool):  # cannot have a description
            return True
        if keywords.get("description") or keywords.get("title") or "const" in keywords:
            return True
        for target in index.in_place(here):
            if target.pointer not in seen and not isinstance(target.schema, bool):
                seen[target.pointer] = target
                waiting.append(target)
    return False
