"""ECMA-262 patterns as patterns of Python's `re`, where these take no more than little time."""

from __future__ import annotations

import re
import warnings
from functools import cache

from scaffold.languages.python.expressions import quoted
from scaffold.languages.python.patterns.cost import cost_of
from scaffold.languages.python.patterns.trimming import trimmed
from scaffold.schema.regular import syntax
from scaffold.schema.regular.syntax import UntranslatableError

_STEPS = 20_000_000
"""What a search may take: part of a second."""
_FEW = 1000
"""The steps for each character that a search may take however long the text is."""
_SHORTEST = 100
"""The length of text that a pattern must at least be able to search."""


def translated(pattern: str) -> str:
    """Return the pattern of Python's `re` that finds the same texts, up to the length of `limit`.

    Raises UntranslatableError if there is none, or if it could take minutes for short texts.
    """
    found = _translation(pattern)
    if isinstance(found, UntranslatableError):
        raise found
    return found[0]


def limit(pattern: str) -> int | None:
    """Return the length of the longest text that is searched; None if all are, or none can be."""
    found = _translation(pattern)
    return None if isinstance(found, UntranslatableError) else found[1]


def written(pattern: str) -> str:
    """Return the translated pattern as a string of Python; raises UntranslatableError."""
    source = translated(pattern)
    is_raw = "\\" in source and '"' not in source and source.isascii() and source.isprintable()
    return f'r"{source}"' if is_raw else quoted(source)


def refusal(pattern: str) -> tuple[str, str] | None:
    """Return why a pattern cannot be translated and a hint; None if it can."""
    found = _translation(pattern)
    return (found.message, found.hint) if isinstance(found, UntranslatableError) else None


@cache
def _translation(pattern: str) -> tuple[str, int | None] | UntranslatableError:
    """Return the source of a pattern and its limit, or why there is none."""
    try:
        tree = syntax.parsed(pattern)
        if not _is_cheap(cost_of(tree)):
            tree = trimmed(tree)
        source = tree.source
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(source)
        longest = _longest(tree)
    except UntranslatableError as error:
        return error
    except (re.error, FutureWarning, OverflowError, RecursionError) as error:
        if "look-behind" in str(error):
            message = "a lookbehind of variable length is not known to Python"
            return UntranslatableError(message, "write a lookbehind for each length")
        return UntranslatableError(f"Python does not know it: {error}", "write it more simply")
    return source, longest


def _is_cheap(searched: tuple[int, int] | None) -> bool:
    return searched is not None and searched[0] <= _FEW and searched[1] <= 1


def _longest(tree: syntax.Node) -> int | None:
    """Return the length of the longest text that can be searched; None if any text can."""
    searched = cost_of(tree)
    if searched is not None:
        if _is_cheap(searched):
            return None
        ways, degree = searched
        longest = int((_STEPS / ways) ** (1 / max(degree, 1)))
        if longest >= _SHORTEST:
            return longest // 50 * 50
    message = "a search for it can take Python minutes"
    hint = "avoid repeated groups that can match the same text in several ways, as `(a+)+` can"
    raise UntranslatableError(message, hint)
