"""Helpers for warnings about texts: their length, their words, and missing texts."""

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
    return Finding(
        at,
        "long-description",
        f"{what} {length:,} characters, and Claude Code passes on the first {LONGEST_TEXT:,}",
        "shorten it, or say what matters first",
    )


def words(text: str) -> list[str]:
    """Return the words of a text or a name, in lower case: `getUser` has two."""
    return re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).lower())


def stem(word: str) -> str:
    """Return a word without its ending, so that `searches` and `searching` are equal."""
    return re.sub(r"(ies|es|s|ing|ed|e|y)$", "", word)


def arguments(silent: list[str], total: int) -> str:
    """Return the start of a sentence that lists arguments without a text."""
    names = join(silent[:4], "and") + (" and others" if silent[4:] else "")
    if total == 1:
        return f"the argument {names} is"
    return f"{len(silent)} of {total} arguments ({names}) {'is' if len(silent) == 1 else 'are'}"
