"""One entry goes into a file and out again; every other byte stays as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold.clients.formats import FormatError, format_of
from tests.clients.formats.layouts import ENTRIES, ROOT, TEXTS_OF, remains


def told(entry: object) -> str:
    """Return an entry as text: NaN is not equal to itself."""
    return json.dumps(entry, sort_keys=True, default=str)


def entries(text: str, kind: str) -> list[tuple[str, str]]:
    """Return the entries in order."""
    found = format_of(kind).entries(text, (ROOT,))
    return [(name, told(entry)) for name, entry in found.items()]


@pytest.mark.parametrize("kind", TEXTS_OF)
@given(data=st.data(), entry=ENTRIES)
def test_what_is_put_in_comes_out_and_every_byte_stays(
    kind: str, data: st.DataObject, entry: dict[str, Any]
) -> None:
    text = data.draw(TEXTS_OF[kind])
    form = format_of(kind)
    new = form.put(text, (ROOT,), "ours", entry)
    assert remains(new, text.strip())
    assert entries(new, kind) == [*entries(text, kind), ("ours", told(entry))]
    left = form.drop(new, (ROOT,), "ours")
    assert entries(left, kind) == entries(text, kind)
    assert remains(left, "".join(text.split()))  # an empty mapping may lose its blanks


@pytest.mark.parametrize("kind", TEXTS_OF)
@given(data=st.data(), first=ENTRIES, second=ENTRIES)
def test_an_entry_comes_out_from_beside_one_that_came_later(
    kind: str, data: st.DataObject, first: dict[str, Any], second: dict[str, Any]
) -> None:
    text = data.draw(TEXTS_OF[kind])
    form = format_of(kind)
    both = form.put(form.put(text, (ROOT,), "ours", first), (ROOT,), "theirs", second)
    left = form.drop(both, (ROOT,), "ours")
    assert entries(left, kind) == [*entries(text, kind), ("theirs", told(second))]
    assert remains(left, text.strip())


@pytest.mark.parametrize("kind", TEXTS_OF)
@given(data=st.data(), first=ENTRIES, second=ENTRIES)
def test_an_entry_is_replaced(
    kind: str, data: st.DataObject, first: dict[str, Any], second: dict[str, Any]
) -> None:
    text = data.draw(TEXTS_OF[kind])
    form = format_of(kind)
    old = form.put(form.put(text, (ROOT,), "ours", first), (ROOT,), "theirs", {"command": "x"})
    new = form.put(old, (ROOT,), "ours", second)
    assert remains(new, text.strip())
    before, after = entries(old, kind), entries(new, kind)
    assert dict(after) == {**dict(before), "ours": told(second)}
    if kind != "yaml":  # there it goes to the end
        assert [name for name, _ in after] == [name for name, _ in before]
    if kind.startswith("json"):
        assert form.put(new, (ROOT,), "ours", first) == old


@pytest.mark.parametrize("text", ["---", "# x", "", "---\n", "a: 1", "---\na: 1"])
def test_a_yaml_text_of_any_end_keeps_all_of_it(text: str) -> None:
    form = format_of("yaml")
    new = form.put(text, (ROOT,), "ours", {"command": "x"})
    assert form.drop(new, (ROOT,), "ours").startswith(text)


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        ("jsonc", "{,}", "unexpected comma"),
        ("jsonc", '{"a": [ ,\n]}', "unexpected comma"),
        ("jsonc", '{"a": {, /* b */}}', "unexpected comma"),
        ("yaml", "d: &d 1\nservers:\n  x:\n    a: *d\n", "the layout of the file is not supported"),
        ("yaml", "a: &d 1\nservers: {c: *d}\n", "the layout of the file is not supported"),
    ],
)
def test_a_text_that_cannot_be_edited_safely_is_refused(kind: str, text: str, why: str) -> None:
    with pytest.raises(FormatError, match=why):
        format_of(kind).put(text, (ROOT,), "ours", {"command": "x"})
