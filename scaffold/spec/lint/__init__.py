"""Lint: warnings about valid specs that work badly with clients or models.

diagnostics.md documents each warning and the clients and models it concerns.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain

from scaffold.base.diagnostics import Diagnostic, Severity, in_order
from scaffold.spec.format import Spec
from scaffold.spec.lint import arguments, entries, schemas, server, texts
from scaffold.yaml.document import Document


def lint(
    spec: Spec, document: Document, parts: Collection[str] | None = None
) -> tuple[Diagnostic, ...]:
    """Return the warnings that the spec does not ignore, sorted by place.

    Rules for single tools and texts check those at the JSON Pointers `parts`, by default all.
    """
    chosen = [tool for tool in spec.tools if parts is None or tool.pointer in parts]
    found = chain(
        server.warnings(spec),
        texts.warnings(document, [""] if parts is None else parts),
        entries.warnings(spec, chosen),
        arguments.warnings(chosen),
        schemas.warnings(chosen, document),
    )
    masked = document.masking("env", "default")
    return in_order(
        finding.diagnostic(masked, Severity.WARNING)
        for finding in found
        if finding.id not in spec.lint.ignore
    )
