"""Warnings about schemas that are valid but probably not intended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from scaffold.base.diagnostics import FAULTS, Fix, synonyms
from scaffold.base.diagnostics.synonyms import meant
from scaffold.base.diagnostics.wording import did_you_mean, is_certain, join, nearest, quote
from scaffold.schema.index import Index
from scaffold.schema.keywords import FORMATS, KEYWORDS
from scaffold.schema.mismatch import literal
from scaffold.schema.types import texts
from scaffold.spec.format import Tool
from scaffold.yaml.document import Document, pointer
from scaffold.yaml.edits import renamed, replaced
from scaffold.yaml.finding import Finding

_EXACT = 2**53
_BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


_NUMBERS = ("integer", "number")
_BY_TYPE = {
    "minimum": _NUMBERS,
    "maximum": _NUMBERS,
    "minLength": ("string",),
    "maxLength": ("string",),
    "pattern": ("string",),
    "minItems": ("array",),
    "maxItems": ("array",),
    "items": ("array",),
    "properties": ("object",),
}
"""The types that a keyword is about, for keywords that people write in other words."""


def warnings(tools: Iterable[Tool], document: Document) -> Iterator[Finding]:
    """Yield warnings about the schemas of arguments and results."""
    for tool in tools:
        yield from _schema_warnings(tool.arguments, f"{tool.pointer}/inputSchema", document)
        if tool.result is not None:
            at = f"{tool.pointer}/outputSchema"
            if tool.result.root.keywords.get("type") != "object":
                message = "clients before MCP 2026-07-28 get only text unless `type` is `object`"
                hint = "put the value into a property of an object"
                yield Finding(at, "output-not-object", message, hint, at_key=True)
            yield from _schema_warnings(tool.result, at, document)


def _schema_warnings(index: Index, at: str, document: Document) -> Iterator[Finding]:
    for subschema in index.all.values():
        schema, here = subschema.keywords, at + subschema.pointer
        yield from _number_warnings(schema, here)
        yield from _keyword_warnings(schema, here, document)
        yield from _format_warnings(schema, here, document)
        yield from _required_warnings(schema, here)
        pattern = schema.get("pattern")
        if isinstance(pattern, str) and re.search(r"\\\\[dwsb](?![a-z])", pattern, re.IGNORECASE):
            message = f"{quote(pattern)} matches a backslash: it is escaped twice"
            hint = "remove one backslash; in single quotes, YAML needs no escapes"
            yield Finding(f"{here}/pattern", "escaped-twice", message, hint)
    yield from _default_warnings(index, at)


def _number_warnings(schema: Mapping[str, Any], here: str) -> Iterator[Finding]:
    for keyword, value in schema.items():
        if type(value) is int and abs(value) > _EXACT:
            message = f"JavaScript clients round `{value}`, as it is beyond 2^53"
            hint = "use a smaller number, or a string"
            yield Finding(here + pointer(keyword), "inexact-number", message, hint)
    for low, high in _BOUNDS:
        least, most = schema.get(low), schema.get(high)
        if isinstance(least, int | float) and isinstance(most, int | float) and least > most:
            message = f"no value is both at least {least} and at most {most}"
            hint = f"swap `{low}` and `{high}`"
            yield Finding(f"{here}/{low}", "contradictory-bounds", message, hint)


def _keyword_warnings(
    schema: Mapping[str, Any], here: str, document: Document
) -> Iterator[Finding]:
    """Yield keywords without effect."""
    if schema.get("nullable") is True and "null" not in schema.get("type", ()):
        message = "`nullable` is an OpenAPI keyword, and has no effect in JSON Schema"
        hint = "write `type: [string, 'null']`, with your own type"
        yield Finding(f"{here}/nullable", "nullable", message, hint, at_key=True)
    for keyword, value in schema.items():
        if keyword in KEYWORDS or keyword.startswith(("x-", "$")):
            continue
        fix: Fix | None = None
        message = f"{quote(keyword)} is not a JSON Schema keyword, and has no effect"
        if value is None:
            message = f"{quote(keyword)} is a keyword without a value, and has no effect"
            hint = "if it belongs to the text before it, quote that text: a comma ended it"
        elif keyword == "optional":
            hint = (
                "remove it: a property is optional unless `required` beside `properties` lists it"
            )
        elif near := _meant(keyword, schema):
            hint = f"did you mean `{near}`?"
            if len(keyword) > 6 or meant(keyword, synonyms.KEYS, (near,)):  # `cost` is not `const`
                fix = renamed(document, here + pointer(keyword), near)
        else:
            continue
        yield Finding(
            here + pointer(keyword), "unknown-keyword", message, hint, at_key=True, fix=fix
        )


def _format_warnings(schema: Mapping[str, Any], here: str, document: Document) -> Iterator[Finding]:
    """Yield formats that are misspelt: nobody checks a format that nobody knows."""
    format = schema.get("format")
    if not isinstance(format, str) or format in FORMATS:
        return
    if near := nearest(format, sorted(FORMATS), 0.8):  # `ulid` is no `uuid`
        message = f"{quote(format)} is not a format of JSON Schema, and is not checked"
        fix = replaced(document, f"{here}/format", near) if is_certain(format, near) else None
        yield Finding(
            f"{here}/format", "unknown-format", message, f"did you mean `{near}`?", fix=fix
        )


def _meant(keyword: str, schema: Mapping[str, Any]) -> str | None:
    """Return the keyword that an unknown one stands for, if a schema of this type can have it."""
    types = texts(schema.get("type"))
    fitting = {
        known
        for known in KEYWORDS - schema.keys()
        if known[0] != "$" and (known not in _BY_TYPE or not {*types}.isdisjoint(_BY_TYPE[known]))
    }
    return meant(keyword, synonyms.KEYS, fitting) or nearest(keyword, fitting, 0.84)


def _required_warnings(schema: Mapping[str, Any], here: str) -> Iterator[Finding]:
    """Yield required properties without a schema."""
    properties, required = schema.get("properties"), schema.get("required")
    if isinstance(properties, dict) and isinstance(required, list):
        undeclared = (item for item in enumerate(required) if item[1] not in properties)
        for number, name in islice(undeclared, FAULTS):
            message = f"{quote(name)} is required, but not in `properties`"
            hint = did_you_mean(name, properties, f"add `{name}` to `properties`")
            yield Finding(f"{here}/required/{number}", "undeclared-required", message, hint)


def _default_warnings(index: Index, at: str) -> Iterator[Finding]:
    """Yield defaults that their own schema rejects; those that are null, together."""
    nulls = []
    for subschema in index.all.values():
        default = subschema.keywords.get("default", ...)
        if default is ... or index.accepts(subschema, default):
            continue
        if default is None:
            nulls.append(subschema.pointer)
            continue
        message = f"the schema rejects its own default, {literal(default)}"
        hint = "change the default or the schema"
        yield Finding(f"{at}{subschema.pointer}/default", "default-mismatch", message, hint)
    if nulls:
        names = join([null.rpartition("/")[2] for null in nulls[:4]], "and")
        subject = f"{names} and others" if nulls[4:] else names
        verb = "rejects its" if len(nulls) == 1 else "reject their"
        message = f"{subject} {verb} own default, `null`: a model that passes it gets an error"
        hint = "remove `default`, or allow `null` in `type`"
        yield Finding(f"{at}{nulls[0]}/default", "default-mismatch", message, hint)
