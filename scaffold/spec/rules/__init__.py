"""Rules: what makes a spec that fits the format wrong nevertheless."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scaffold.spec.draft import Draft
from scaffold.spec.rules import (
    capabilities,
    environment,
    errors,
    names,
    prompts,
    renames,
    resources,
    schemas,
    transports,
    uri_templates,
    warnings,
)
from scaffold.yaml.finding import Finding

RULES: tuple[Callable[[Draft], Iterator[Finding]], ...] = (
    names.faults,
    renames.faults,
    schemas.faults,
    errors.faults,
    resources.faults,
    uri_templates.faults,
    prompts.faults,
    environment.faults,
    transports.faults,
    capabilities.faults,
    warnings.faults,
)
"""All rules; each yields the faults of one subject."""


def broken_rules(draft: Draft) -> Iterator[Finding]:
    """Yield the faults that the rules find in a draft."""
    for rule in RULES:
        yield from rule(draft)
