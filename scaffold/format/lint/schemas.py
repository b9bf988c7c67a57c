"""Warnings about schemas and annotations that clients reject, or that are probably mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from scaffold.base.diagnostics import FAULTS, Fix, synonyms
from scaffold.base.diagnostics.synonyms import meant
from scaffold.base.diagnostics.wording import did_you_mean, is_certain, nearest, quote
from scaffold.editing.fixes import renamed, replaced
from scaffold.format.lint.entries import undescribed
from scaffold.format.parts import ToolAnnotations
from scaffold.format.spec import Tool
from scaffold.schema.index import Index
from scaffold.schema.keywords import FORMATS, KEYWORDS
from scaffold.schema.mismatch import literal
from scaffold.schema.resolver import Subschema
from scaffold.schema.types import texts
from scaffold.yaml.document import Document, pointer
from scaffold.yaml.finding import Finding

_ANNOTATIONS = [field.alias or name for name, field in ToolAnnotations.model_fields.items()]
_PROPERTY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_ITEMS = {"items", "prefixItems", "$ref"}
"""Keywords that describe the items of an array."""

FAR = 100
"""The maximum number of schemas searched for one description."""

_EXACT = 2**53
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
"""The types of values that a keyword applies to, for keywords with common misspellings."""


def annotation_warnings(tools: Iterable[Tool], document: Document) -> Iterator[Finding]:
    """Yield annotations that seem to be misspelled: any key is allowed, but clients ignore it."""
    for tool in tools:
        for key in (tool.annotations and tool.annotations.model_extra) or ():
            if near := nearest(key, _ANNOTATIONS):
                at = f"{tool.pointer}/annotations" + pointer(key)
                message = f"{quote(key)} is not an annotation of MCP, and has no effect"
                hint, fix = f"did you mean `{near}`?", renamed(document, at, near)
                yield Finding(at, "unknown-keyword", message, hint, at_key=True, fix=fix)


def argument_warnings(tools: Iterable[Tool]) -> Iterator[Finding]:
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
    for member in index.members:
        described = member.schemas or member.variants
        if described and not _PROPERTY.fullmatch(member.name):
            here = at + described[0].pointer
            message = (
                f"Anthropic models reject requests with the argument name {quote(member.name)}"
            )
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
        hint = "list strings, or turn this off with `lint: {ignore: [non-string-enum]}`"
        yield Finding(here, "non-string-enum", message, hint)
    elif "" in enum:
        message = "Gemini models reject an empty string in `enum`"
        hint = "remove it, and make the argument optional"
        yield Finding(f"{here}/{enum.index('')}", "empty-enum", message, hint)
    elif len({*enum}) < len(enum):
        again = next(n for n, value in enumerate(enum) if value in enum[:n])
        message = f"Visual Studio Code rejects an `enum` that lists {quote(enum[again])} twice"
        yield Finding(f"{here}/{again}", "duplicate-enum", message, "remove one of them")


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
    described = [member for member in index.members if member.schemas]
    silent = [member for member in described if not _described(index, member.schemas)]
    if silent:
        here, names = at + silent[0].schemas[0].pointer, [member.name for member in silent]
        yield undescribed(here, names, len(described), "so models must guess what to pass")


def _described(index: Index, schemas: Sequence[Subschema]) -> bool:
    """Return whether a value is described by its schemas or others that apply to it."""
    applied = index.applied(*schemas, most=FAR)
    for part in (*schemas, *applied, *index.branches(applied)):
        keywords = part.keywords
        if keywords.get("description") or keywords.get("title") or "const" in keywords:
            return True
        if isinstance(part.schema, bool):  # cannot have a description
            return True
    return False


def schema_warnings(tools: Iterable[Tool], document: Document) -> Iterator[Finding]:
    """Yield warnings about the schemas of arguments and results."""
    for tool in tools:
        for at, index in tool.schemas:
            yield from _schema_warnings(index, at, document)
        if tool.result and tool.result.root.keywords.get("type") != "object":
            message = "clients before MCP 2026-07-28 get only text unless `type` is `object`"
            hint = "put the value into a property of an object"
            at = f"{tool.pointer}/outputSchema"
            yield Finding(at, "output-not-object", message, hint, at_key=True)


def _schema_warnings(index: Index, at: str, document: Document) -> Iterator[Finding]:
    for subschema in index.all.values():
        schema, here = subschema.keywords, at + subschema.pointer
        yield from _number_warnings(schema, here)
        yield from _keyword_warnings(schema, here, document)
        yield from _format_warnings(schema, here, document)
        yield from _required_warnings(schema, here)
    yield from _default_warnings(index, at)


def _number_warnings(schema: Mapping[str, Any], here: str) -> Iterator[Finding]:
    for keyword, value in schema.items():
        if type(value) is int and abs(value) > _EXACT:
            message = f"JavaScript clients round `{value}`, as it is beyond 2^53"
            hint = "use a smaller number, or a string"
            yield Finding(here + pointer(keyword), "inexact-number", message, hint)


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
            hint = "if it belongs to the text before it, quote that text: an unquoted comma ends it"
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
    """Yield misspelled formats: validators ignore the formats that they do not know."""
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
    """Yield defaults that their own schema rejects."""
    for subschema in index.all.values():
        default = subschema.keywords.get("default", ...)
        if default is ... or index.accepts(subschema, default):
            continue
        hint = "change the default or the schema"
        if default is None:
            hint = (
                "remove `default`, or allow `null` in `type`: a model that passes it gets an error"
            )
        message = f"the schema rejects its own default, {literal(default)}"
        yield Finding(f"{at}{subschema.pointer}/default", "default-mismatch", message, hint)
