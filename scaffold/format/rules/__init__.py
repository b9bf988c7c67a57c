"""Rules that the JSON Schema of the format cannot express."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from scaffold.format.draft import Draft
from scaffold.format.rules import entries, examples, handlers, schemas, settings
from scaffold.yaml.finding import Finding

Rule: TypeAlias = Callable[[Draft], Iterator[Finding]]

RULES: tuple[Rule, ...] = (
    entries.faults,
    schemas.faults,
    examples.faults,
    settings.faults,
    handlers.faults,
)
"""All rules; each yields the errors of one subject."""
