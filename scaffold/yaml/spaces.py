"""Find characters that look like a space, and that YAML takes for letters.

Web pages and keyboards put them in where nobody sees them: in the indentation, or after a colon or
a dash. There, a key and its value become one text. Elsewhere they are part of a text, and fine.
"""

from __future__ import annotations

import re
import unicodedata

from scaffold.base.diagnostics import Diagnostic
from scaffold.yaml.document import Document

SPACES = "\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff"
"""The characters, as a part of a character class."""

ANY = re.compile(f"[{SPACES}]")
_MISTAKEN = re.compile(f"(?:-|[\\w.$-]+:)?([{SPACES}])")
_IN_LINES = re.compile(f"^ *(?:- +)*{_MISTAKEN.pattern}", re.MULTILINE)


def mistaken(document: Document, start: int, end: int) -> Diagnostic | None:
    """Return the diagnostic for one in front of the text of a span, or after its colon or dash."""
    found = _MISTAKEN.match(document.text, start, end)
    return _diagnostic(document, found) if found else None


def mistaken_near(document: Document, at: int) -> Diagnostic | None:
    """Return the diagnostic for the first one in the line of an offset, or in the line above."""
    text = document.text
    above = text.rfind("\n", 0, max(0, text.rfind("\n", 0, at))) + 1
    found = _IN_LINES.search(text, above)
    return _diagnostic(document, found) if found and found.start() <= at else None


def _diagnostic(document: Document, found: re.Match[str]) -> Diagnostic:
    """Return the diagnostic for a character, with its name in Unicode."""
    character = found[1]
    name = unicodedata.name(character).lower()
    message = f"this is a {name} (U+{ord(character):04X}), not the space that YAML needs"
    place = document.at(*found.span(1))
    return Diagnostic("yaml-syntax", message, place, "replace each of them with a space")
