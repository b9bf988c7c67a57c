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
_IN_LINES = re.compile(f"^ *(?:- +)*(?:-|[\\w.$-]+:)?([{SPACES}])", re.MULTILINE)


def mistaken_near(document: Document, at: int) -> Diagnostic | None:
    """Return the diagnostic for the first one in the line of an offset, or in the line above."""
    text = document.text
    above = text.rfind("\n", 0, max(0, text.rfind("\n", 0, at))) + 1
    found = _IN_LINES.search(text, above)
    return mistaken(document, found.start(1)) if found and found.start() <= at else None


def mistaken(document: Document, at: int) -> Diagnostic:
    """Return the diagnostic for the character at an offset, with its name in Unicode."""
    character = document.text[at]
    name = unicodedata.name(character).lower()
    message = f"this is a {name} (U+{ord(character):04X}), not the space that YAML needs"
    return Diagnostic("yaml-syntax", message, document.at(at), "replace each of them with a space")
