"""Descriptions as short as models need them."""

from __future__ import annotations

import re

LONGEST = 1024
"""The maximum characters of a description."""


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return a text, or its first paragraph if it is too long, or the beginning of that."""
    text = text.strip()
    if len(text) <= longest:
        return text
    first = re.split(r"\n\s*\n", text, maxsplit=1)[0].strip()
    if len(first) <= longest:
        return first
    cut = first[: longest - 1]
    return cut[: cut.rfind(" ")].rstrip(" ,;:") + "…" if " " in cut else cut + "…"


def sentence(text: str, longest: int = 200) -> str:
    """Return the first paragraph of a text on one line, shortened to a few words if need be."""
    first = re.split(r"\n\s*\n", text.strip(), maxsplit=1)[0]
    return shortened(" ".join(first.split()), longest)
