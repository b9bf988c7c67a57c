"""What a request must be for arguments, by the style of each parameter in a document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

Pairs = list[tuple[str, str]]


def raw_pairs(text: str, separator: str) -> Pairs:
    """Names, decoded, and values as they were sent."""
    pairs = (one.partition("=") for one in text.split(separator) if one)
    return [(unquote(name), value) for name, _, value in pairs]


def is_text(value: Any, text: str) -> bool:
    """Whether a text is that of a value: a string itself, all else as JSON."""
    return text == value if isinstance(value, str) else bool(json.loads(text) == value)


def are_texts(values: list[Any], pieces: list[str]) -> bool:
    return len(values) == len(pieces) and all(
        is_text(value, unquote(piece)) for value, piece in zip(values, pieces, strict=True)
    )


def is_written(value: Any, raw: str, one: Mapping[str, Any]) -> bool:
    """Whether a value in a path or a header is written in the style of its parameter."""
    if "content" in one:
        return bool(json.loads(unquote(raw)) == value)
    style, explode, name = one.get("style", "simple"), one.get("explode", False), one["name"]
    start, by = {"label": (".", "."), "matrix": (";", ";")}.get(style, ("", ","))
    if not raw.startswith(start):
        return False
    raw = raw.removeprefix(start)
    is_named = style == "matrix" and not (explode and isinstance(value, dict))
    if not isinstance(value, list | dict):
        raw = raw.removeprefix(f"{name}=") if is_named else raw
        sent = unquote(raw) if one["in"] == "path" else raw.encode("latin-1").decode()
        return is_text(value, sent)
    pieces = raw.split(by if explode else ",")
    if is_named:
        pieces = [piece.removeprefix(f"{name}=") for piece in pieces]
    if isinstance(value, list):
        return are_texts(value, pieces)
    if explode:
        pairs = [piece.partition("=") for piece in pieces]
        keys, texts = [unquote(key) for key, _, _ in pairs], [text for _, _, text in pairs]
    else:
        keys, texts = [*map(unquote, pieces[::2])], pieces[1::2]
    return sorted(keys) == sorted(value) and are_texts([value[key] for key in keys], texts)


def take(pairs: Pairs, value: Any, one: Mapping[str, Any]) -> None:
    """Take a parameter out of a query, or a field out of a form; fail if it is not in its style."""
    name, style = one["name"], one.get("style", "form")
    explode = one.get("explode", style == "form")
    about = (name, value, [*pairs])
    found = [pair for pair in pairs if pair[0] == name]
    if style == "deepObject" and isinstance(value, dict | list):
        found = [pair for pair in pairs if pair[0].startswith(f"{name}[")]
        assert sorted(leaves(name, value)) == sorted((k, unquote(v)) for k, v in found), about
    elif "content" in one or not isinstance(value, list | dict):
        ((_, raw),) = found
        text = unquote(raw)
        assert is_text(value, text) or json.loads(text) == value, about
    elif explode and isinstance(value, list):
        given = [item for item in value if item is not None]
        assert are_texts(given, [raw for _, raw in found]), about
    elif explode and isinstance(value, dict):
        found = []
        for key, item in value.items():
            items = item if isinstance(item, list) else [item]
            own = [pair for pair in pairs if pair[0] == key]
            assert are_texts([one for one in items if one is not None], [v for _, v in own]), about
            found += own
    else:
        ((_, raw),) = found
        by = {"spaceDelimited": "%20", "pipeDelimited": "%7C"}.get(style, ",")
        flat = [*value] if isinstance(value, list) else [x for pair in value.items() for x in pair]
        assert are_texts(flat, raw.split(by)), about
    for pair in found:
        pairs.remove(pair)


def leaves(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """The fields of an object in the style `deepObject`."""
    if isinstance(value, list):
        value = dict(enumerate(value))
    if isinstance(value, dict):
        for key, below in value.items():
            yield from leaves(f"{name}[{key}]", below)
    elif value is not None:
        yield name, value if isinstance(value, str) else json.dumps(value)
