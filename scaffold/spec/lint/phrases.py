"""Words of texts, and findings for long and missing ones."""

from __future__ import annotations

import re

from scaffold.diagnostics.wording import join
from scaffold.yaml.finding import Finding

LONGEST_TEXT = 2048
"""The characters of a description or the instructions before Claude Code truncates."""
FILLERS = frozenset({
    "a", "an", "and", "as", "by", "can", "do", "does", "for", "from", "function", "in", "is",
    "it", "its", "of", "on", "or", "perform", "performs", "server", "that", "the", "this", "to",
    "tool", "use", "used", "uses", "using", "will", "with", "you", "your",
})  # fmt: skip


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
