"""Rules: what makes a spec that fits the format wrong nevertheless."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

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

Rule: TypeAlias = Callable[[Draft], Iterator[Finding]]

RULES: tuple[Rule, ...] = (
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


def broken_rules(draft: Draft, last: Rule) -> Iterator[Finding]:
    """Yield the faults that the rules find in a draft; `last` is one of the language."""
    for rule in (*RULES, last):
        yield from rule(draft)
