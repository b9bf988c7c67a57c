"""Plain JSON, edited by spans of the text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scaffold.clients.formats import jsonc


def entries(text: str, root: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the entries by name."""
    return jsonc.entries(text, root, comments=False)


def put(text: str, root: tuple[str, ...], name: str, entry: Mapping[str, Any]) -> str:
    """Return the text with a new entry at the end of the mapping at `root`."""
    return jsonc.put(text, root, name, entry, comments=False)


def drop(text: str, root: tuple[str, ...], name: str, was: str | None) -> str:
    """Return the text without an entry; without the mappings too that `was` did not have."""
    return jsonc.drop(text, root, name, was, comments=False)
