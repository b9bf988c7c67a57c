"""Placeholders: `{name}` in texts, and stand-ins for unknown values in examples."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from scaffold.yaml.document import pointer

_MARK = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
ANYTHING = "…"
PATTERN = "$pattern"
_REFERENCE = re.compile(r"\$\{([^.{}]+)\.([^{}]+)\}")
_OPEN = re.compile(rf"{ANYTHING}|{_REFERENCE.pattern}")
"""A stand-in for other text within a text: `…`, or a reference."""


BRACES = "write `{name}` for a value, and `{{` and `}}` for literal braces"
"""A hint that explains the syntax of placeholders."""


class Literal(NamedTuple):
    """Literal text."""

    text: str


class Placeholder(NamedTuple):
    """A name in braces, to be replaced with a value."""

    name: str


def parts(text: str) -> Iterator[Literal | Placeholder]:
    """Yield the literals and placeholders of a text, in order; `{{` and `}}` are literal braces.

    Raises ValueError, with a message for users, if a brace is unmatched or empty.
    """
    literal = ""
    done = 0
    for mark in _MARK.finditer(text):
        literal += text[done : mark.start()]
        done = mark.end()
        if mark[0] in ("{{", "}}"):
            literal += mark[0][0]
            continue
        if not mark[1]:
            raise ValueError("a placeholder has no name" if mark[0] == "{}" else "unmatched brace")
        if literal:
            yield Literal(literal)
        yield Placeholder(mark[1])
        literal = ""
    if literal := literal + text[done:]:
        yield Literal(literal)


def placeholders(text: str) -> tuple[str, ...]:
    """Return the unique names in braces, in order. Raises ValueError as `parts` does."""
    return tuple(dict.fromkeys(p.name for p in parts(text) if isinstance(p, Placeholder)))


def read_names(text: str) -> tuple[list[str], str | None]:
    """Return the names in braces and None, or an empty list and the first error."""
    try:
        return list(placeholders(text)), None
    except ValueError as error:
        return [], str(error)


class Reference(NamedTuple):
    """A reference in a text at `pointer`, to a part of a result.

    `source` is the name of an example or of a tool; `path` leads into its structured content. A
    reference that is the `whole` text is replaced by the part itself, others by its text.
    """

    pointer: str
    source: str
    path: tuple[str, ...]
    whole: bool


def references(value: Any, *at: str | int) -> Iterator[Reference]:
    """Yield the references in a value, at any depth."""
    match value:
        case str():
            for match in _REFERENCE.finditer(value):
                path = tuple(match[2].split("."))
                yield Reference(pointer(*at), match[1], path, match[0] == value)
        case dict():
            for key, item in value.items():
                yield from references(item, *at, key)
        case list():
            for number, item in enumerate(value):
                yield from references(item, *at, number)


def without_references(text: str) -> str:
    """Return a text with an `x` for each reference."""
    return _REFERENCE.sub("x", text)


def schema_of(expected: Any, sources: Collection[str]) -> dict[str, Any]:
    """Return the JSON Schema that a result must match. Objects may have more keys.

    References to the results of `sources` stay in its texts and patterns. Values that replace them
    inside a text must be escaped, as for any pattern.
    """
    match expected:
        case "…":
            return {}
        case {"$pattern": pattern}:
            # In a group, as a reference that is a whole text is replaced with any JSON value.
            whole = _REFERENCE.fullmatch(pattern)
            return {"type": "string", "pattern": f"(?:{pattern})" if whole else pattern}
        case Mapping():
            properties = {key: schema_of(value, sources) for key, value in expected.items()}
            return {"type": "object", "properties": properties, "required": [*properties]}
        case list():
            items = [schema_of(item, sources) for item in expected]
            size = {"minItems": len(items), "maxItems": len(items)}
            return {"type": "array", **size} | ({"prefixItems": items} if items else {})
        case str() if pattern := _pattern(expected, sources):
            return {"type": "string", "pattern": pattern}
    return {"enum": [expected]}


def _pattern(text: str, sources: Collection[str]) -> str | None:
    """Return the pattern for a text of which only parts are known, else None."""
    pattern, end = "", 0
    for match in _OPEN.finditer(text):
        if match[0] == ANYTHING:
            part = r"[\s\S]*"
        elif match[1] in sources and match[0] != text:
            part = match[0]
        else:
            continue
        pattern += re.escape(text[end : match.start()]) + part
        end = match.end()
    return f"^{pattern}{re.escape(text[end:])}$" if end else None


def is_text(expected: Any) -> bool:
    """Return whether the text of the content is expected, and not structured content."""
    return isinstance(expected, str) or (isinstance(expected, Mapping) and PATTERN in expected)


def is_open(expected: Any) -> bool:
    """Return whether a value is a stand-in: `…`, a pattern or a reference."""
    if isinstance(expected, str):
        return ANYTHING in expected or "${" in expected
    return isinstance(expected, Mapping) and PATTERN in expected


def closed(expected: Any) -> Any:
    """Return a value without keys whose values are open or are lists with open values."""
    if isinstance(expected, Mapping):
        return {key: closed(value) for key, value in expected.items() if not _has_open(value)}
    return [closed(item) for item in expected] if isinstance(expected, list) else expected


def _has_open(value: Any) -> bool:
    return is_open(value) or (isinstance(value, list) and any(map(_has_open, value)))


def patterns(expected: Any, at: str) -> Iterator[tuple[str, Any]]:
    """Yield the patterns in a value, each with its JSON Pointer."""
    if isinstance(expected, Mapping) and PATTERN in expected:
        yield f"{at}/{PATTERN}", expected[PATTERN]
    elif isinstance(expected, Mapping | list):
        items = expected.items() if isinstance(expected, Mapping) else enumerate(expected)
        for key, value in items:
            yield from patterns(value, at + pointer(key))
