"""A Spec that is right, and what about it will not work well with clients and models.

What it warns of, and whom that concerns, is in diagnostics.md.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from scaffold.diagnostics import Diagnostic, Severity, in_order
from scaffold.spec.document import Document
from scaffold.spec.environment import secrets
from scaffold.spec.finding import Finding
from scaffold.spec.lint import mistakes, portability, usability
from scaffold.spec.model import Spec
from scaffold.spec.subschemas import Index


def lint(
    spec: Spec, document: Document, tools: Container[int] | None = None
) -> tuple[Diagnostic, ...]:
    """All warnings, sorted by place, but those that the spec ignores.

    `tools` are the numbers of those to look at one by one, by default all.
    """
    document = document.masking(secrets(document))
    return in_order(
        finding.diagnostic(document, Severity.WARNING)
        for finding in _findings(spec, document, tools)
        if finding.id not in spec.ignored
    )


def _findings(spec: Spec, document: Document, tools: Container[int] | None) -> Iterator[Finding]:
    yield from portability.server_warnings(spec)
    yield from usability.list_warnings(spec)
    yield from mistakes.server_warnings(spec, document)
    yield from mistakes.text_warnings(document)
    for number, tool in enumerate(spec.tools):
        if tools is not None and number not in tools:
            continue
        at = f"/tools/{number}"
        index = Index.of(tool.input_schema)
        yield from portability.tool_warnings(spec, tool, at)
        yield from portability.input_warnings(index, f"{at}/inputSchema")
        yield from portability.number_warnings(index, f"{at}/inputSchema")
        yield from usability.tool_warnings(tool, index, at)
        yield from mistakes.tool_warnings(tool, at)
        yield from mistakes.schema_warnings(index, f"{at}/inputSchema")
        if tool.output_schema is not None:
            index = Index.of(tool.output_schema)
            yield from portability.output_warnings(tool.output_schema, f"{at}/outputSchema")
            yield from portability.number_warnings(index, f"{at}/outputSchema")
            yield from mistakes.schema_warnings(index, f"{at}/outputSchema")
    for number, prompt in enumerate(spec.prompts):
        yield from usability.prompt_warnings(prompt, f"/prompts/{number}")
