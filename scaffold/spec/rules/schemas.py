"""Check that a tool's schemas are valid and accept its examples."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.jsonschema.check import faults as schema_faults
from scaffold.jsonschema.mismatch import mismatches
from scaffold.spec.draft import Draft
from scaffold.spec.format import Tool
from scaffold.spec.rules.headers import header_faults
from scaffold.yaml.document import Document
from scaffold.yaml.finding import Finding


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield errors in schemas, and in the arguments of examples that should succeed."""
    for tool in draft.spec.tools:
        at = f"{tool.pointer}/inputSchema"
        found = list(schema_faults(tool.arguments, at, draft.document))
        yield from (one for one in found if one.pointer != f"{at}/type")  # checked by the format
        yield from header_faults(tool.arguments, at)
        if not found:
            yield from _example_faults(tool, draft.document)
        if tool.result:
            yield from schema_faults(tool.result, f"{tool.pointer}/outputSchema", draft.document)


def _example_faults(tool: Tool, document: Document) -> Iterator[Finding]:
    schema = tool.arguments.root.keywords
    for number, example in enumerate(tool.examples):
        if example.is_error:
            continue
        here = f"{tool.pointer}/examples/{number}/arguments"
        found = mismatches(tool.arguments.validator, schema, example.arguments, here, document)
        for finding in found:
            yield finding._replace(
                id="bad-example",
                hint=f"{finding.hint}; or write `isError: true` if the call is to fail",
            )
