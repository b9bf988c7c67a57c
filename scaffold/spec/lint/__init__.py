"""Lint: warnings about valid specs that work badly with clients or models.

diagnostics.md documents each warning and the clients and models it concerns.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from scaffold.diagnostics import Diagnostic, Severity, in_order
from scaffold.spec.format import Spec
from scaffold.spec.lint import arguments, prompts, schemas, server, templates, texts, tools
from scaffold.spec.lint.subject import Subject
from scaffold.spec.rules.environment import secrets
from scaffold.yaml.document import Document
from scaffold.yaml.finding import Finding

RULES: tuple[Callable[[Subject], Iterator[Finding]], ...] = (
    server.warnings,
    texts.warnings,
    tools.warnings,
    arguments.warnings,
    schemas.warnings,
    templates.warnings,
    prompts.warnings,
)
"""All rules; each yields the warnings about one subject."""


def lint(
    spec: Spec, document: Document, only: Container[int] | None = None
) -> tuple[Diagnostic, ...]:
    """Return the warnings that the spec does not ignore, sorted by place.

    Rules for single tools check the tools with numbers in `only`, by default all.
    """
    chosen = tuple(tool for n, tool in enumerate(spec.tools) if only is None or n in only)
    subject = Subject(spec, document, chosen)
    document = document.masking(secrets(spec))
    return in_order(
        finding.diagnostic(document, Severity.WARNING)
        for rule in RULES
        for finding in rule(subject)
        if finding.id not in spec.lint.ignore
    )
