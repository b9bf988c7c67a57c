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
        place = document.place(self.pointer, key=self.at_key)
        related = None
        if self.related:
            pointer, message = self.related
            related = Related(document.place(pointer), message)
        return Diagnostic(
            self.id,
            self.message,
            place,
            self.hint,
            severity,
            self.pointer,
            related,
            self.fix if document.is_plain else None,
            self.notes,
        )
