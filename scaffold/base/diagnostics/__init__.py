"""Diagnostics: what is wrong, where, and how to fix it."""

from scaffold.base.diagnostics.model import (
    FAULTS,
    Diagnostic,
    Edit,
    Fix,
    Place,
    Related,
    ScaffoldError,
    Severity,
    in_order,
    refusal,
)

__all__ = [
    "FAULTS",
    "Diagnostic",
    "Edit",
    "Fix",
    "Place",
    "Related",
    "ScaffoldError",
    "Severity",
    "in_order",
    "refusal",
]
