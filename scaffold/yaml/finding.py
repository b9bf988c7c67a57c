"""A finding about a value of a document, before its place in the file is known."""

from __future__ import annotations

from typing import NamedTuple

from scaffold.base.diagnostics import Diagnostic, Fix, Related, Severity
from scaffold.yaml.document import Document


class Finding(NamedTuple):
    """A problem with the value at a JSON Pointer, or with its key.

    `related` is the pointer of a second value, and a message about it. `fix` is the edit that
    `validate --fix` makes, unless the document has anchors: an edit could change other places.
    `notes` are further facts, each a label and a text.
    """

    pointer: str
    id: str
    message: str
    hint: str
    at_key: bool = False
    related: tuple[str, str] | None = None
    fix: Fix | None = None
    notes: tuple[tuple[str, str], ...] = ()

    def diagnostic(self, document: Document, severity: Severity) -> Diagnostic:
        """Return the finding as a diagnostic with its place."""
        at, id, message, hint, at_key, second, fix, notes = self
        place = document.place(at, key=at_key)
        related = Related(document.place(second[0]), second[1]) if second else None
        fix = fix if document.is_plain else None
        return Diagnostic(id, message, place, hint, severity, at, related, fix, notes)
