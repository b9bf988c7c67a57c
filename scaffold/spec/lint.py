"""A Spec that is right, and what about it will not work well with clients and models."""

from __future__ import annotations

from ..diagnostics import Diagnostic
from .document import Document
from .model import Spec


def lint(spec: Spec, document: Document) -> tuple[Diagnostic, ...]:
    """All warnings, sorted by place, but those that the spec ignores."""
    return ()
