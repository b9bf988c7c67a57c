"""Warnings about tool arguments that clients reject or models cannot understand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from scaffold.diagnostics.wording import join, quote
from scaffold.jsonschema.index import Index
from scaffold.jsonschema.mismatch import literal
from scaffold.jsonschema.subschema import Subschema
from scaffold.spec.lint.phrases import arguments
from scaffold.spec.lint.subject import Subject
from scaffold.yaml.finding import Finding

_PROPERTY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
FAR = 100
_CHOICES = re.compile(
    r"(?:\bone of(?: the following)?|\b(?:valid|allowed|possible|supported|accepted) "
    r"(?:values|options|choices)(?: are| include)?|\boptions)[:\s]+"
    r"(?P<choices>(?:['\"`][\w.-]{1,30}['\"`](?:\s*(?:,|\||/|\bor\b|\band\b)\s*)*){2,8})"
    r"(?![\s,]*(?:etc|e\.g|\.\.|…|['\"`\w]))",
    re.IGNORECASE,
)


def warnings(subject: Subject) -> Iterator[Finding]:
    """Yield warnings about the arguments of tools."""
    for tool in subject.tools:
        at = f"{tool.pointer}/inputSchema"
        yield from _client_warnings(tool.arguments, at)
        yield from _model_warnings(tool.arguments, at)


def _client_warnings(index: Index, at: str) -> Iterator[Finding]:
    for keyword in ("oneOf", "anyOf", "allOf"):
        if keyword in index.root.keywords:
            yield Finding(
                f"{at}/{keyword}",
                "root-composition",
                f"Anthropic models refuse `{keyword}` at the root of a tool's schema, and Claude "
                "Code leaves such a tool out",
                "say it in the descriptions, or move the choice into a property",
                at_key=True,
            )
    for one in index.members:
        described = one.schemas or one.variants
        if described and not _PROPERTY.fullmatch(one.name):
            yield Finding(
                at + described[0].pointer,
                "unportable-argument",
                f"the argument name {quote(one.name)} makes Anthropic models refuse the whole request",
                "use 1 to 64 letters, digits, `_`, `.` and `-`",
                at_key=True,
            )
    for subschema in index.all.values():
        schema, here = subschema.keywords, at + subschema.pointer
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
    """Yield the first reference to a schema that contains it."""
    for subschema in index.all.values():
        for keyword, target in index.references(subschema).items():
            if isinstance(target, Subschema) and f"{subschema.pointer}/".startswith(
                f"{target.pointer}/"
            ):
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


def _model_warnings(index: Index, at: str) -> Iterator[Finding]:
    described = [one for one in index.members if one.schemas]
    silent = [one for one in described if not _described(index, one.schemas)]
    if silent:
        yield Finding(
            at + silent[0].schemas[0].pointer,
            "undescribed-argument",
            f"{arguments([one.name for one in silent], len(described))} without a description, from which models learn "
            "what to pass",
            "add `description:`",
            at_key=True,
        )
    names = {one.name for one in described}
    for subschema in index.all.values():
        schema = subschema.keywords
        text = schema.get("description")
        if schema.get("type") != "string" or not isinstance(text, str):
            continue
        if {"enum", "const", "pattern", "format", "oneOf", "anyOf"} & schema.keys():
            continue
        if found := _CHOICES.search(text):
            choices = re.findall(r"['\"`]([\w.-]+)['\"`]", found["choices"])
            if names & set(choices):
                continue  # names of other arguments
            yield Finding(
                f"{at}{subschema.pointer}/description",
                "choices-in-text",
                f"the description lists what can be passed: {join(choices)}; nothing keeps a "
                "model to it",
                f"add `enum: [{', '.join(choices)}]`, if these are all",
            )


def _described(index: Index, schemas: Sequence[Subschema]) -> bool:
    """Return whether a value is described by its schemas or others that apply to it.

    The search visits about `FAR` schemas at most.
    """
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
