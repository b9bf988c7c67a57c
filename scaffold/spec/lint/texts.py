"""Warnings about texts: invisible characters, likely credentials, long and missing ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from scaffold.base.diagnostics.wording import join
from scaffold.schema.resolver import value_at
from scaffold.yaml.document import Document, holds_credential, pointer
from scaffold.yaml.finding import Finding

LONGEST_TEXT = 2048
"""The characters of a description or the instructions before Claude Code truncates."""
FILLERS = frozenset({
    "a", "an", "and", "as", "by", "can", "do", "does", "for", "from", "function", "in", "is",
    "it", "its", "of", "on", "or", "perform", "performs", "server", "that", "the", "this", "to",
    "tool", "use", "used", "uses", "using", "will", "with", "you", "your",
})  # fmt: skip
_HIDDEN = ("Cf", "Co")
"""The categories of invisible characters: format and private use."""

_SILENT = frozenset("\u200d\u200c\ufeff")
"""Format characters that scripts and emoji need, and the byte order mark."""


def warnings(document: Document, parts: Iterable[str]) -> Iterator[Finding]:
    """Yield texts with invisible characters or likely credentials, at or below JSON Pointers."""
    found = ((at, value_at(document.value, at)) for at in parts)
    waiting: list[tuple[str, Any]] = [(at, value) for at, value in found if _may_hold_text(value)]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, str):
            yield from _text_warnings(value, at)
            continue
        items = value.items() if isinstance(value, dict) else enumerate(value)
        waiting += [(at + pointer(key), item) for key, item in items if _may_hold_text(item)]


def _may_hold_text(value: object) -> bool:
    """Return whether a value may hold a text that is not short and plain."""
    if isinstance(value, str):
        return len(value) >= 16 or not value.isascii()
    return isinstance(value, dict | list)


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


def too_long(at: str, what: str, length: int) -> Finding:
    """Return the warning about a text that Claude Code truncates."""
    message = f"{what} {length:,} characters; Claude Code truncates after {LONGEST_TEXT:,}"
    return Finding(at, "long-description", message, "shorten it, or start with what matters")


def words(text: str) -> list[str]:
    """Return the words of a text or a name, in lower case: `getUser` has two."""
    return re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).lower())


def stem(word: str) -> str:
    """Return a word without its ending, so that `searches` and `searching` are equal."""
    return re.sub(r"(ies|es|s|ing|ed|e|y)$", "", word)


def undescribed(at: str, silent: list[str], total: int, why: str) -> Finding:
    """Return the warning about arguments without a description; `why` says who needs it."""
    names = join(silent[:4], "and") + (" and others" if silent[4:] else "")
    subject = f"{len(silent)} of {total} arguments" if total > 1 else "the argument"
    listed = f"({names})" if total > 1 else names
    verb = "has" if len(silent) == 1 else "have"
    message = f"{subject} {listed} {verb} no description, {why}"
    return Finding(at, "undescribed-argument", message, "add `description:`", at_key=True)
