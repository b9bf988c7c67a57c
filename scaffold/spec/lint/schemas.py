"""Warnings about schemas that are valid but probably not intended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from scaffold.diagnostics import FAULTS
from scaffold.diagnostics.wording import join, nearest, quote
from scaffold.jsonschema.index import Index
from scaffold.jsonschema.keywords import KEYWORDS
from scaffold.jsonschema.mismatch import literal
from scaffold.spec.lint.subject import Subject
from scaffold.yaml.document import pointer
from scaffold.yaml.finding import Finding

_EXACT = 2**53
_BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


def warnings(subject: Subject) -> Iterator[Finding]:
    """Yield warnings about the schemas of arguments and results."""
    for tool in subject.tools:
        yield from _schema_warnings(tool.arguments, f"{tool.pointer}/inputSchema")
        if tool.result is not None:
            at = f"{tool.pointer}/outputSchema"
            yield from _result_warnings(tool.result, at)
            yield from _schema_warnings(tool.result, at)


def _result_warnings(index: Index, at: str) -> Iterator[Finding]:
    if index.root.keywords.get("type") != "object":
        yield Finding(
            at,
            "output-not-object",
            "clients older than MCP 2026-07-28 know only results of `type: object`; from them the "
            "server keeps this schema, and they get the value as text alone",
            "put the value into a property of an object",
            at_key=True,
        )


def _number_warnings(index: Index, at: str) -> Iterator[Finding]:
    """Yield numbers that JavaScript clients round."""
    for subschema in index.all.values():
        for keyword, value in subschema.keywords.items():
            if type(value) is int and abs(value) > _EXACT:
                yield Finding(
                    f"{at}{subschema.pointer}{pointer(keyword)}",
                    "inexact-number",
                    f"`{value}` is beyond 2^53, and clients written in JavaScript round it",
                    "choose a smaller number, or pass such values as text",
                )


def _schema_warnings(index: Index, at: str) -> Iterator[Finding]:
    yield from _number_warnings(index, at)
    for subschema in index.all.values():
        schema, here = subschema.keywords, at + subschema.pointer
        yield from _keyword_warnings(schema, here)
        for low, high in _BOUNDS:
            least, most = schema.get(low), schema.get(high)
            if isinstance(least, int | float) and isinstance(most, int | float) and least > most:
                yield Finding(
                    f"{here}/{low}",
                    "contradictory-bounds",
                    f"nothing is both at least {least} and at most {most}",
                    f"exchange `{low}` and `{high}`",
                )
        pattern = schema.get("pattern")
        if isinstance(pattern, str) and re.search(r"\\\\[dwsb](?![a-z])", pattern, re.IGNORECASE):
            yield Finding(
                f"{here}/pattern",
                "escaped-twice",
                f"{quote(pattern)} asks for a backslash: it is escaped once too often",
                "write one backslash less; in YAML, single quotes need none",
            )
    yield from _default_warnings(index, at)


def _keyword_warnings(schema: Any, here: str) -> Iterator[Finding]:
    if schema.get("nullable") is True and "null" not in schema.get("type", ()):
        yield Finding(
            f"{here}/nullable",
            "nullable",
            "`nullable` is OpenAPI's; in JSON Schema it allows nothing",
            "write `type: [string, 'null']`, with the type in question",
            at_key=True,
        )
    for keyword, value in schema.items():
        if keyword not in KEYWORDS and not keyword.startswith(("x-", "$")):
            meant = nearest(keyword, KEYWORDS, cutoff=0.84)
            if value is None:
                yield Finding(
                    here + pointer(keyword),
                    "unknown-keyword",
                    f"{quote(keyword)} is a keyword without a value, and has no effect",
                    "put the text before it in quotes if this is the rest of that: between braces, "
                    "a comma ends a text without quotes",
                    at_key=True,
                )
            elif meant:
                yield Finding(
                    here + pointer(keyword),
                    "unknown-keyword",
                    f"{quote(keyword)} is not a keyword of JSON Schema, and has no effect",
                    f"did you mean `{meant}`?",
                    at_key=True,
                )
    properties, required = schema.get("properties"), schema.get("required")
    if isinstance(properties, dict) and isinstance(required, list):
        undeclared = (item for item in enumerate(required) if item[1] not in properties)
        for number, name in islice(undeclared, FAULTS):
            meant = nearest(name, properties)
            yield Finding(
                f"{here}/required/{number}",
                "undeclared-required",
                f"{quote(name)} is required, and is not among the properties",
                f"did you mean `{meant}`?" if meant else f"add `{name}` to `properties`",
            )


def _default_warnings(index: Index, at: str) -> Iterator[Finding]:
    """Yield defaults that their own schema rejects."""
    nulls = []
    for subschema in index.all.values():
        if "default" not in subschema.keywords:
            continue
        default = subschema.keywords["default"]
        if index.accepts(subschema, default):
            continue
        if default is None:
            nulls.append(subschema.pointer)
        else:
            yield Finding(
                f"{at}{subschema.pointer}/default",
                "default-mismatch",
                f"the default is {literal(default)}, which the schema itself refuses",
                "change the default or the schema",
            )
    if nulls:
        names = join([null.rpartition("/")[2] for null in nulls[:4]], "and")
        more = " and others" if nulls[4:] else ""
        yield Finding(
            f"{at}{nulls[0]}/default",
            "default-mismatch",
            f"{names}{more} {'is' if len(nulls) == 1 else 'are'} `null` by default, which the "
            "schema itself refuses: a model that passes the default gets an error",
            "remove `default`, or allow `null` in `type`",
        )
