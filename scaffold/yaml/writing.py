"""Write JSON values as YAML, in the way a person would.

YAML 1.1 and 1.2 parse it to the same values, and `yaml/` to the original ones.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TypeGuard

from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

from scaffold.base import text as quoting
from scaffold.yaml.scalars import ScalarError, plain
from scaffold.yaml.syntax import SPACES

WIDTH = 100

_BARE = re.compile(rf"(?!-([ {SPACES}]|$))[\w$./(+-]([^:#]|:(?![ {SPACES}])|(?<! )#)*(?<![: ])")
_BARE_IN_FLOW = re.compile(rf"(?!-([ {SPACES}]|$))[\w$./(+-][^:#,?\[\]{{}}]*(?<! )")
_MAX_KEY_LENGTH = 120
_TEXT = "tag:yaml.org,2002:str"
_RESOLVER = Resolver()


def yaml_text(value: Mapping[str, object]) -> str:
    """Return a mapping as YAML; blank lines separate its longer keys, and entries of many lines."""
    parts: list[str] = []
    for key, below in value.items():
        lines = [*_pair(key, below, 0)]
        if len(lines) > 1:
            parts.append("")
        entries = _is_list(below) and len(lines) > len(below) + 1
        for at, line in enumerate(lines):
            if entries and at > 1 and line.startswith("  - "):
                parts.append("")
            parts.append(line)
    return "\n".join(parts) + "\n"


def _pair(key: str, value: object, indent: int) -> Iterator[str]:
    """Yield the lines of a key and its value."""
    start = " " * indent + scalar(key)
    if len(start) > _MAX_KEY_LENGTH:
        yield f"{' ' * indent}? {scalar(key)}"
        start = " " * indent
    yield from _value(f"{start}:", value, indent)


def _value(start: str, value: object, indent: int) -> Iterator[str]:
    """Yield the lines of a value after `start`, which is indented by `indent`."""
    short = _flow(value)
    if short is not None and len(start) + 1 + len(short) <= WIDTH:
        yield f"{start} {short}"
    elif isinstance(value, str):
        yield from _long_text(start, value, indent + 2)
    elif isinstance(value, Mapping) and value:
        yield start
        for key, below in value.items():
            yield from _pair(key, below, indent + 2)
    elif _is_list(value) and value:
        yield start
        for item in value:
            yield from _item(item, indent + 2)
    else:
        yield f"{start} {scalar(value)}"


def _item(value: object, indent: int) -> Iterator[str]:
    """Yield the lines of an item; a mapping begins on the line of the dash."""
    dash = " " * indent + "-"
    lines = [*_value(dash, value, indent)]
    if isinstance(value, Mapping) and lines[0] == dash:
        lines[:2] = [dash + lines[1][indent + 1 :]]
    yield from lines


def _flow(value: object) -> str | None:
    """Return a value on one line, or None if it reads better on several.

    Lists of scalars and small mappings of scalars go on one line if they fit.
    """
    in_flow = partial(scalar, bare=_BARE_IN_FLOW)
    if isinstance(value, Mapping):
        if len(value) > 3 or any(_is_nested(item) for item in value.values()):
            return None
        pairs = (f"{in_flow(key)}: {in_flow(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if _is_list(value):
        return None if any(map(_is_nested, value)) else f"[{', '.join(map(in_flow, value))}]"
    return None if isinstance(value, str) and "\n" in value else scalar(value)


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _is_nested(value: object) -> bool:
    """Return whether a value is a collection with items."""
    return bool(value) and (isinstance(value, Mapping) or _is_list(value))


def _long_text(start: str, text: str, indent: int) -> Iterator[str]:
    """Yield a text as a block scalar, folded if it is one line, or in double quotes."""
    lines, margin = text.removesuffix("\n").split("\n"), " " * indent
    foldable = len(lines) == 1 and "  " not in text and not text.endswith("\n")
    if (
        not all(map(_is_block_line, lines))
        or lines[0].startswith(" ")
        or not (lines[0] and lines[-1])
    ):
        yield f"{start} {quoting.yaml(text)}"
    elif foldable:
        yield f"{start} >-"
        width = max(WIDTH - indent, 40)
        for line in textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False):
            yield margin + line
    else:
        yield f"{start} |" if text.endswith("\n") else f"{start} |-"
        for line in lines:
            yield margin + line if line else ""


def _is_block_line(line: str) -> bool:
    """Return whether a line can be in a block scalar: visible, and without trailing blanks."""
    return line == quoting.visible(line) and not line.endswith(" ") and "\t" not in line


def scalar(value: object, bare: re.Pattern[str] = _BARE) -> str:
    """Return a scalar, with quotes around a text only if they are needed: if it is not `bare`."""
    if not isinstance(value, str):
        number = json.dumps(value)
        return re.sub(r"^(-?\d+)e", r"\1.0e", number) if isinstance(value, float) else number
    if bare.fullmatch(value) and _is_text(value) and value == quoting.visible(value):
        return value
    return quoting.yaml(value)


def _is_text(text: str) -> bool:
    """Return whether YAML 1.1 and 1.2 both parse an unquoted scalar as a string."""
    try:
        tag = _RESOLVER.resolve(ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
        return plain(text) == text and tag == _TEXT
    except ScalarError:
        return False
