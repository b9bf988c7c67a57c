"""Configuration files as people and programs leave them, for properties."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from hypothesis import strategies as st

ROOT = "servers"

NAMES = st.sampled_from(
    ["blog", "files", "a b", "x.y", 'q"uote', "é", "ours-2", "//", "[x]", "null"]
)
TEXTS = st.text(
    st.characters(
        codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufeff"
    ),
    max_size=8,
) | st.sampled_from(
    ["// no comment", "/* nor this */", "# x", "a, b", "{", "}]", "yes", "1e3", "~"]
)
LEAVES = st.none() | st.booleans() | st.integers(-9, 10**6) | TEXTS
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def json_texts(draw: Callable[..., Any], comments: bool) -> str:
    """Return a JSON document with a mapping of servers or without, in any layout."""
    members = draw(st.dictionaries(NAMES, VALUES, max_size=3))
    if draw(st.booleans()):
        members[ROOT] = draw(
            st.dictionaries(NAMES.filter(lambda name: name != "ours"), VALUES, max_size=3)
        )
        members = dict(draw(st.permutations([*members.items()])))
    nl = draw(st.sampled_from(["\n", "\r\n"]))
    unit = draw(st.sampled_from(["  ", "    ", "\t", " "]))
    gaps = st.sampled_from(["", "", "", " ", nl, nl + unit, f"{nl}{nl}"])
    notes = gaps
    if comments:
        notes = gaps | st.sampled_from(
            [f" // it's, a {{note{nl}", "/* x, ] */", f'  // "{nl}{unit}', f"/*{nl}*/ "]
        )
    neat = draw(st.booleans())

    def gap() -> str:
        return str(draw(notes))

    def written(value: Any, depth: int) -> str:
        if not isinstance(value, dict | list):
            return json.dumps(value, ensure_ascii=draw(st.booleans()))
        items = (
            [(f"{json.dumps(k)}:{'' if not neat else ' '}", v) for k, v in value.items()]
            if isinstance(value, dict)
            else [("", v) for v in value]
        )
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        if not items:
            return f"{opening}{gap()}{closing}"
        lines = [f"{key}{written(item, depth + 1)}" for key, item in items]
        final = "," if comments and draw(st.integers(0, 3)) == 0 else ""
        if neat:
            pad = nl + unit * (depth + 1)
            note = f" // note{nl}" if comments and draw(st.booleans()) else ""
            return f"{opening}{pad}{f',{pad}'.join(lines)}{final}{note.rstrip()}{nl}{unit * depth}{closing}"
        body = ",".join(f"{gap()}{line}{gap()}" for line in lines)
        return f"{opening}{body}{final}{gap()}{closing}"

    return f"{gap()}{written(members, 0)}{gap()}"


TEXTS_OF = {
    "json": json_texts(comments=False) | st.sampled_from(["", " ", "\r\n", "{}", "{\n}\n"]),
    "jsonc": json_texts(comments=True) | st.sampled_from(["", "{\n}\n"]),
    "toml": st.sampled_from(yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))),
}
"""Documents of each format, in any layout."""


def remains(more: str, less: str) -> bool:
    """Return whether all characters of `less` are in `more`, in order."""
    rest = iter(more)
    return all(character in rest for character in less)
