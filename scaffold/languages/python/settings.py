"""Settings in Python: the values of variables that are not set, and texts that read them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from scaffold.format.spec import Variable
from scaffold.languages.python.types.expressions import (
    Brackets,
    Expression,
    Labelled,
    literal,
    quoted,
)


def unset(variable: Variable) -> str:
    """Return the value of a variable that is not set; empty if it is required."""
    text = variable.default
    if variable.required:
        return ""
    if text is None:
        return "()" if variable.type == "list" else "None"
    match variable.type:
        case "integer":
            return str(int(text))
        case "number":
            return str(float(text))
        case "boolean":
            return str(text.strip().lower() in ("true", "yes", "on", "1"))
        case "path":
            return f"Path({literal(text)})"
        case "list":
            items = [str(literal(item.strip())) for item in text.split(",") if item.strip()]
            return f"({', '.join(items)},)" if items else "()"
        case _:
            return str(literal(text.strip()))


def filled(value: object, attributes: Mapping[str, str]) -> str:
    """Return the expression of a text, a list or a mapping of texts.

    In each text, `${VARIABLE}` stands for a setting; `attributes` are those of the variables.
    """
    return str(_filled(value, attributes))


def _filled(value: object, attributes: Mapping[str, str]) -> Expression:
    if isinstance(value, Mapping):
        rows = (Labelled(f"{quoted(k)}: ", _filled(v, attributes)) for k, v in value.items())
        return Brackets("", "{", tuple(rows))
    if isinstance(value, str):
        return _text(value, attributes)
    assert isinstance(value, Sequence)
    return Brackets("", "[", tuple(_filled(item, attributes) for item in value))


def _text(text: str, attributes: Mapping[str, str]) -> str:
    pieces = re.split(r"\$\{(\w+)\}", text)
    if len(pieces) == 1:
        return quoted(text)
    names = [f"settings.{attributes[name]}" for name in pieces[1::2]]
    if len(names) == 1 and not any(pieces[::2]):
        return names[0]
    literals = [piece.replace("{", "{{").replace("}", "}}") for piece in pieces[::2]]
    pairs = zip(literals, [*(f"{{{name}}}" for name in names), ""], strict=True)
    return f"f{quoted(''.join(part for pair in pairs for part in pair))}"
