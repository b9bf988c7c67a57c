"""Messages for validation errors, a short line for each: `/day: …`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .rules import Fault, is_number, size

if TYPE_CHECKING:
    from .schema import Schema

# Characters of a value, of a list of values, and of names and places, that are shown.
MAX_SHOWN = 60
MAX_LISTED = 300
MAX_NAMED = 4_000


def line(schema: Schema, fault: Fault) -> str:
    keyword, rule, value, place = fault
    names = (str(name)[:MAX_NAMED] for name in place)
    path = "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in names)
    if keyword == "no choice":
        nearest = (line(schema, (*inner[:3], (*place, *inner[3]))) for inner in rule)
        text = f"fits no choice; of the nearest: {'; '.join(nearest)}"
    else:
        text = words(schema, keyword, rule, value)
    return f"{path[-MAX_NAMED:] or '/'}: {text}"


def words(schema: Schema, keyword: str, rule: Any, value: Any) -> str:
    match keyword:
        case "false":
            return f"{shown(value)} is not allowed here"
        case "pattern":
            longest = schema.patterns.get(rule, ("", None))[1]
            if longest is not None and len(value) > longest:
                return f"{shown(value)} is too long to be matched: {longest} characters"
            asked = shown(rule)
        case "type":
            asked = " or ".join(rule)
        case "format" | "dependentRequired":
            asked = rule
        case "additionalProperties":
            asked = listed(rule, MAX_NAMED)
        case "enum":
            keyword = "const" if len(rule) == 1 else keyword
            asked = listed(rule, MAX_LISTED)
        case _:
            asked = shown(rule)
    is_one = rule == 1 or (keyword == "additionalProperties" and len(rule) == 1)
    s, y = ("", "y") if is_one else ("s", "ies")
    text = schema.keywords[keyword].words
    return text.format(value=shown(value), rule=asked, s=s, y=y)


def listed(values: list[Any], longest: int) -> str:
    """Return values as JSON, as many as there is room for, and at least one."""
    text = shown(values[0], longest) if values else "nothing"
    for value in values[1:]:
        if len(text) >= longest:
            return f"{text} and more"
        text += f", {shown(value, longest)}"
    return text


def shown(value: Any, longest: int = MAX_SHOWN) -> str:
    """Return a value as JSON, of a long one only the beginning."""
    if size(value, MAX_SHOWN) > MAX_SHOWN:
        return "an array" if isinstance(value, list) else "an object"
    if is_number(value) and abs(value) > 10**30:
        return "a long number"
    text = json.dumps(cut(value, longest + 1), ensure_ascii=False)
    return text if len(text) <= longest + 2 else f"{text[:longest]}…"


def cut(value: Any, longest: int) -> Any:
    """Return a value with the beginnings of its texts."""
    if isinstance(value, dict):
        rows = value.items()
        return {key[:longest]: cut(item, longest) for key, item in rows}
    if isinstance(value, list | tuple):
        return [cut(item, longest) for item in value]
    return value[:longest] if isinstance(value, str) else value
