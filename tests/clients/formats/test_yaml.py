"""One entry goes into a YAML file and out again; every other byte stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from scaffold.clients.formats import FormatError, format_of
from tests.clients.formats.layouts import ENTRIES, NAMES, ROOT, VALUES, remains

FORM = format_of("yaml")

MEMBERS = st.sampled_from(
    [
        "model: x # servers:",
        "text: |\n  servers:\n    ours: 1\n",
        "folded: >-\n  a\n\n  b",
        "list:\n- 1\n- a: 2\n  b: [3, {c: 4}]",
        "quoted: 'it''s\n  long'",
        "anchor: &a {x: 1}\nalias: *a\nmerged:\n  <<: *a",
        "nothing:",
        "date: 2001-01-01",
        "number: .nan",
    ]
)
NOTES = st.sampled_from(["", "", "# a comment", "  # indented"])


@st.composite
def yaml_texts(draw: Callable[..., Any]) -> str:
    """Return a YAML document with a mapping of servers or without, in any layout."""
    parts = draw(st.lists(MEMBERS, max_size=3, unique=True))
    others = draw(st.dictionaries(NAMES.filter(lambda name: name != "ours"), VALUES, max_size=3))
    kind = draw(st.sampled_from(["none", "block", "flow", "null", "braces"]))
    if kind == "block" and others:
        pad = draw(st.sampled_from(["  ", "    ", " "]))
        lines = yaml.safe_dump(others, allow_unicode=True, width=10**9).splitlines()
        parts.append(f"{ROOT}: {draw(NOTES)}\n" + "\n".join(pad + line for line in lines))
    elif kind == "flow":
        written = yaml.safe_dump(others, default_flow_style=True, width=10**9, allow_unicode=True)
        parts.append(f"{ROOT}: {written.strip()}{draw(st.sampled_from(['', ' # flow']))}")
    elif kind != "none":
        parts.append(
            {"null": f"{ROOT}:", "braces": f"{ROOT}: {{ }}", "block": f"{ROOT}: # none"}[kind]
        )
    lines = []
    for part in draw(st.permutations(parts)):
        lines += [draw(NOTES), part]
    start = draw(st.sampled_from(["", "---\n", "# head\n---\n"]))
    end = draw(st.sampled_from(["\n", "\n\n# end\n", "\n...\n" if parts else "\n"]))
    if not any("|" in part for part in parts) and draw(st.booleans()):
        end = ""
    text: str = start + "\n".join(lines) + end
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@given(text=yaml_texts(), entry=ENTRIES)
def test_what_is_put_in_comes_out_and_every_byte_stays(text: str, entry: dict[str, Any]) -> None:
    others = FORM.entries(text, (ROOT,))
    new = FORM.put(text, (ROOT,), "ours", entry)
    assert remains(new, text)
    assert FORM.entries(new, (ROOT,))["ours"] == entry
    assert [*FORM.entries(new, (ROOT,))] == [*others, "ours"]
    left = FORM.drop(new, (ROOT,), "ours")
    assert [*FORM.entries(left, (ROOT,))] == [*others]
    assert remains(left, text.rstrip())


@given(text=yaml_texts(), first=ENTRIES, second=ENTRIES)
def test_an_entry_comes_out_from_beside_one_that_came_later(
    text: str, first: dict[str, Any], second: dict[str, Any]
) -> None:
    both = FORM.put(FORM.put(text, (ROOT,), "ours", first), (ROOT,), "theirs", second)
    left = FORM.drop(both, (ROOT,), "ours")
    assert FORM.entries(left, (ROOT,))["theirs"] == second
    assert remains(left, text)


@given(text=yaml_texts(), first=ENTRIES, second=ENTRIES)
def test_an_entry_is_replaced(text: str, first: dict[str, Any], second: dict[str, Any]) -> None:
    old = FORM.put(text, (ROOT,), "ours", first)
    new = FORM.put(old, (ROOT,), "ours", second)
    assert FORM.entries(new, (ROOT,))["ours"] == second
    assert remains(new, text.rstrip())


@pytest.mark.parametrize("text", ["---", "# x", "", "---\n", "a: 1", "---\na: 1"])
def test_a_text_of_any_end_keeps_all_of_it(text: str) -> None:
    new = FORM.put(text, (ROOT,), "ours", {"command": "x"})
    assert FORM.drop(new, (ROOT,), "ours").startswith(text)


@pytest.mark.parametrize(
    "text", ["d: &d 1\nservers:\n  x:\n    a: *d\n", "a: &d 1\nservers: {c: *d}\n"]
)
def test_a_layout_that_cannot_be_edited_is_not_called_invalid(text: str) -> None:
    with pytest.raises(FormatError, match="the layout of the file is not supported"):
        FORM.put(text, ("servers",), "ours", {"command": "x"})
