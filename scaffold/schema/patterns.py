"""Find regular expressions that JSON Schema engines read differently, and suggest fixes."""

from __future__ import annotations

import re
from functools import cache

import jsonschema_rs

_UNICODE = re.compile("\\\\[pPu]\\{|[\U00010000-\U0010ffff]")
_CLASS = re.compile(r"\[(?:\\.|[^\]\\])*\]", re.DOTALL)
_NEEDLESS = re.compile(r"(?<!\\)(?:\\\\)*\\[^\w^$\\.*+?()\[\]{}|/]")
"""An unnecessary escape: an error in patterns that need the Unicode mode of ECMA-262."""


@cache  # a spec has the same patterns again and again
def problem(pattern: str) -> tuple[str, str] | None:
    """Return what is wrong with a pattern and a hint; None if all engines read it alike."""
    from scaffold.schema.regular.reading import PatternError, parsed  # not every spec has patterns

    try:
        parsed(pattern, lambda name: ())
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True)
    except PatternError as error:
        return error.message, error.hint
    except (ValueError, RecursionError):
        return (
            "not a regular expression, or too large",
            "check its brackets and quantifiers (ECMA-262)",
        )
    if _UNICODE.search(pattern) and (escape := _NEEDLESS.search(_CLASS.sub("", pattern))):
        sign = escape[0][-1]
        message = f"`\\{sign}` is not allowed in a pattern with `\\p`, `\\u{{` or emoji"
        return message, f"write `{sign}`"
    return None
