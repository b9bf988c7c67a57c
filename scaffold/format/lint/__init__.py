"""Lint: warnings about valid specs that work badly with clients or models.

diagnostics.md documents each warning and the clients and models it concerns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain

from scaffold.base.diagnostics import Diagnostic, Severity, in_order
from scaffold.format.lint.budget import budget_warnings
from scaffold.format.lint.entries import (
    deprecations,
    entry_warnings,
    server_warnings,
    text_warnings,
)
from scaffold.format.lint.schemas import annotation_warnings, argument_warnings, schema_warnings
from scaffold.format.spec import Spec, Tool
from scaffold.yaml.document import Document


def lint(
    spec: Spec, document: Document, tools: Collection[Tool] | None = None
) -> tuple[Diagnostic, ...]:
    """Return the warnings that the spec does not ignore, sorted by place.

    Rules for single tools check `tools`, by default all.
    """
    chosen = spec.tools if tools is None else tools
    warnings = chain(
        server_warnings(spec),
        budget_warnings(spec),
        entry_warnings(spec, chosen),
        text_warnings(spec, chosen),
        annotation_warnings(chosen, document),
        argument_warnings(chosen),
        schema_warnings(chosen, document),
    )
    masked = document.masking("env", "default")
    return in_order(
        finding.diagnostic(masked, Severity.WARNING)
        for finding in warnings
        if finding.id not in spec.lint.ignore
    )


def notes(spec: Spec, document: Document) -> Iterator[Diagnostic]:
    """Yield notes about what MCP has deprecated, for who makes a server or adds that to it."""
    return (finding.diagnostic(document, Severity.NOTE) for finding in deprecations(spec))
