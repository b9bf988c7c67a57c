"""JMESPath projections of an API's response to the properties of one object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

_BEGUN_BY = (
    "subexpression",
    "index_expression",
    "projection",
    "filter_projection",
    "flatten",
    "pipe",
)
"""The JMESPath nodes whose first child is the beginning of the expression."""


def names(expression: str) -> tuple[str, ...]:
    """Return the properties that an expression adds to the result.

    `{a: …, b: …}` adds `a` and `b`; `items[].name` adds `items`.
    Raises ValueError, with the reason, for any other expression.
    """
    import jmespath  # few specs need it

    try:
        compiled = jmespath.compile(expression)
        compiled.search({})  # checks the functions
    except jmespath.exceptions.JMESPathTypeError:  # the empty object has no arguments
        pass
    except jmespath.exceptions.JMESPathError as error:
        raise ValueError(f"is not JMESPath: {str(error).splitlines()[0].rstrip(':')}") from None
    node: Any = compiled.parsed
    if node["type"] == "multi_select_dict" and expression.strip().startswith("{"):
        return tuple(pair["value"] for pair in node["children"])
    while node["type"] in _BEGUN_BY:
        node = node["children"][0]
    if node["type"] != "field":
        raise ValueError("does not begin with the name of a property")
    return (node["value"],)


def projection(expressions: Iterable[str]) -> str:
    """Return one expression: an object with the properties that the expressions add."""
    pairs = []
    for text in map(str.strip, expressions):
        if text.startswith("{"):
            pairs.append(text[1:-1].strip())
        else:
            (name,) = names(text)
            key = name if re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name) else json.dumps(name)
            pairs.append(f"{key}: {text}")
    return f"{{{', '.join(pairs)}}}"
