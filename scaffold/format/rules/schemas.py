"""Check that a tool's schemas are valid, fit its examples and name valid headers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from jsonschema_rs import ValidationError

from scaffold.base.diagnostics.wording import quote
from scaffold.format.draft import Draft
from scaffold.format.http_handler import HEADER
from scaffold.format.placeholders import closed, is_open, references
from scaffold.format.spec import Tool
from scaffold.schema.check import faults as schema_faults
from scaffold.schema.engine import errors
from scaffold.schema.index import Index
from scaffold.schema.mismatch import findings_of, mismatches, shown
from scaffold.yaml.document import Document
from scaffold.yaml.finding import Finding

_OF_THE_WHOLE = frozenset({
    "required", "minProperties", "dependentRequired", "dependentSchemas", "dependencies", "not",
    "if", "then", "else", "contains", "minContains", "maxContains", "uniqueItems",
    "unevaluatedProperties", "unevaluatedItems",
})  # fmt: skip
"""Keywords that a part of a valid value may break."""


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield errors in schemas, and in the arguments of examples that should succeed."""
    for tool in draft.spec.tools:
        at = f"{tool.pointer}/inputSchema"
        findings = list(schema_faults(tool.arguments, at, draft.document))
        yield from (
            finding for finding in findings if finding.pointer != f"{at}/type"
        )  # checked by the format
        yield from header_faults(tool.arguments, at)
        if not findings:
            yield from _example_faults(tool, draft.document)
        if tool.result:
            at = f"{tool.pointer}/outputSchema"
            findings = list(schema_faults(tool.result, at, draft.document))
            yield from findings
            if not findings:
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
    for number, example in enumerate(tool.examples):
        if not isinstance(example.result, Mapping | list) or is_open(example.result):
            continue
        here = f"{tool.pointer}/examples/{number}/result"
        for error in errors(schema.validator, closed(example.result)):
            if _is_certain(error):
                for finding in findings_of(error, here, document, schema.root.keywords):
                    yield finding._replace(id="bad-result")


def _is_certain(error: ValidationError) -> bool:
    """Return whether an error remains, whatever the unknown rest of a result is."""
    if alternatives := getattr(error.kind, "context", None):
        return all(any(map(_is_certain, alternative)) for alternative in alternatives)
    return _OF_THE_WHOLE.isdisjoint(error.schema_path)


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
