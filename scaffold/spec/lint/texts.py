"""Warnings about texts with invisible characters or likely credentials."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

from scaffold.spec.lint.subject import Subject
from scaffold.yaml.document import holds_credential, pointer
from scaffold.yaml.finding import Finding

_SILENT = frozenset("\u200d\u200c\ufeff")
"""Format characters that scripts and emoji need, and the byte order mark."""


def warnings(subject: Subject) -> Iterator[Finding]:
    """Yield texts with invisible characters or likely credentials."""
    waiting: list[tuple[str, Any]] = [("", subject.document.value)]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(at + pointer(key), item) for key, item in value.items()]
        elif isinstance(value, list):
            waiting += [(f"{at}/{number}", item) for number, item in enumerate(value)]
        elif isinstance(value, str) and not (value.isascii() and len(value) < 16):
            yield from _text_warnings(value, at)


def _text_warnings(text: str, at: str) -> Iterator[Finding]:
    if not text.isascii():
        hidden = next(
            (c for c in text if unicodedata.category(c) in ("Cf", "Co") and c not in _SILENT), None
        )
        if hidden:
            name = unicodedata.name(hidden, "private use").lower()
            yield Finding(
                at,
                "invisible-text",
                f"this text holds U+{ord(hidden):04X} ({name}), which people do not see and models "
                "do",
                "remove it; text that hides from people is how tools are poisoned",
            )
    if holds_credential(text):
        yield Finding(
            at,
            "credential-in-text",
            "this text looks as if it held a password or a token",
            "remove it, or write a placeholder such as `<token>`",
        )
