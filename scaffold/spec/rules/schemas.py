"""Check that a tool's schemas are valid, fit its examples and name valid headers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from scaffold.base.diagnostics.wording import quote
from scaffold.schema.check import faults as schema_faults
from scaffold.schema.index import Index
from scaffold.schema.keywords import HOLDERS
from scaffold.schema.mismatch import mismatches, shown
from scaffold.spec.api import HEADER
from scaffold.spec.draft import Draft
from scaffold.spec.format import Tool
from scaffold.spec.placeholders import closed, is_open, references
from scaffold.yaml.document import Document
from scaffold.yaml.finding import Finding

_WHOLE = frozenset({
    "required", "minProperties", "dependentRequired", "dependentSchemas", "dependencies", "not",
    "if", "then", "else", "contains", "minContains", "maxContains", "uniqueItems",
    "unevaluatedProperties", "unevaluatedItems",
})  # fmt: skip
"""Keywords that a part of a valid value may break."""


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield errors in schemas, and in the arguments of examples that should succeed."""
    for tool in draft.spec.tools:
        if tool.pointer in draft.reused:
            continue
        at = f"{tool.pointer}/inputSchema"
        found = list(schema_faults(tool.arguments, at, draft.document))
        yield from (one for one in found if one.pointer != f"{at}/type")  # checked by the format
        yield from header_faults(tool.arguments, at)
        if not found:
            yield from _example_faults(tool, draft.document)
        if tool.result:
            at = f"{tool.pointer}/outputSchema"
            found = list(schema_faults(tool.result, at, draft.document))
            yield from found
            if not found:
                yield from _result_faults(tool, tool.result, draft.document)


def _example_faults(tool: Tool, document: Document) -> Iterator[Finding]:
    schema, validator = tool.arguments.root.keywords, tool.arguments.validator
    for number, example in enumerate(tool.examples):
        if example.is_error:
            continue
        here = f"{tool.pointer}/examples/{number}/arguments"
        taken = {here + reference.pointer for reference in references(example.arguments)}
        for finding in mismatches(validator, schema, example.arguments, here, document):
            if finding.pointer in taken:  # Its value is not known yet.
                continue
            hint = f"{finding.hint}; or set `isError: true` if the call should fail"
            yield finding._replace(id="bad-example", hint=hint)


def _result_faults(tool: Tool, schema: Index, document: Document) -> Iterator[Finding]:
    """Yield parts of expected results that no result of the tool can have."""
    expected = {
        f"{tool.pointer}/examples/{number}/result": example.result
        for number, example in enumerate(tool.examples)
        if isinstance(example.result, Mapping | list) and not is_open(example.result)
    }
    if not expected:
        return
    parts = _parts(schema)
    if parts.problem():  # A reference led to a keyword that parts need not fit.
        return
    for here, value in expected.items():
        rules = parts.root.keywords
        for finding in mismatches(parts.validator, rules, closed(value), here, document):
            yield finding._replace(id="bad-result")


def _parts(index: Index) -> Index:
    """Return a schema that accepts each part of a valid value: objects may lack properties."""
    return Index.of(_partial(index.root.schema, HOLDERS[index.dialect]), index.dialect)


def _partial(schema: Any, holders: Mapping[str, str]) -> Any:
    if isinstance(schema, list):
        return [_partial(one, holders) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _WHOLE:
            continue
        if holders.get(key) == "map":
            kept[key] = {name: _partial(one, holders) for name, one in value.items()}
        elif key == "oneOf":  # A part may fit several alternatives.
            kept.setdefault("anyOf", _partial(value, holders))
        else:
            kept[key] = _partial(value, holders) if key in holders else value
    return kept


def header_faults(index: Index, at: str) -> Iterator[Finding]:
    """Yield errors in `x-mcp-header` keywords, which send arguments as HTTP headers.

    See MCP 2026-07-28, server/tools.
    """
    seen: dict[str, str] = {}
    for subschema in index.all.values():
        if "x-mcp-header" not in subschema.keywords:
            continue
        header = subschema.keywords["x-mcp-header"]
        if not isinstance(header, str) or not HEADER.fullmatch(header):
            message = f"{shown(header)} cannot be part of a header name"
            hint = "use letters, digits and dashes: `Region`"
        elif not re.fullmatch(r"(/properties/[^/]*)+", subschema.pointer):
            message = "only properties can be sent as headers"
            hint = "move it to a property that is nested under nothing but `properties`"
        elif subschema.keywords.get("type") not in ("string", "integer", "boolean"):
            message = "only strings, integers and booleans can be sent as headers"
            hint = "change the type, or remove `x-mcp-header`"
        elif header.lower() in seen:
            message = f"the header {quote(header)} is already used by {seen[header.lower()]}"
            hint = "give each property its own header; case is ignored"
        else:
            seen[header.lower()] = quote(subschema.pointer.rpartition("/")[2])
            continue
        yield Finding(f"{at}{subschema.pointer}/x-mcp-header", "bad-header", message, hint)
