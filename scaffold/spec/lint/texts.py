"""Warnings about texts with invisible characters or likely credentials."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

from scaffold.yaml.document import Document, holds_credential, pointer
from scaffold.yaml.finding import Finding

_HIDDEN = ("Cf", "Co")
"""The categories of invisible characters: format and private use."""

_SILENT = frozenset("\u200d\u200c\ufeff")
"""Format characters that scripts and emoji need, and the byte order mark."""


def warnings(document: Document) -> Iterator[Finding]:
    """Yield texts with invisible characters or likely credentials."""
    waiting: list[tuple[str, Any]] = [("", document.value)]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(at + pointer(key), item) for key, item in value.items()]
        elif isinstance(value, list):
            waiting += [(f"{at}/{number}", item) for number, item in enumerate(value)]
        elif isinstance(value, str) and not (value.isascii() and len(value) < 16):
            yield from _text_warnings(value, at)


def _text_warnings(text: str, at: str) -> Iterator[Finding]:
    others = "" if text.isascii() else text
    if hidden := [c for c in others if unicodedata.category(c) in _HIDDEN and c not in _SILENT]:
        name = unicodedata.name(hidden[0], "private use").lower()
        message = f"invisible character U+{ord(hidden[0]):04X} ({name}), which models read"
        hint = "remove it; text that people cannot see is a way to attack models"
        yield Finding(at, "invisible-text", message, hint)
    if holds_credential(text):
        hint = "remove it, or write a placeholder such as `<token>`"
        yield Finding(at, "credential-in-text", "this looks like a password or token", hint)
