"""One entry goes into a JSON file and out again; every other byte stays as it was."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold.clients.formats import FormatError, format_of
from tests.clients.formats.layouts import ENTRIES, ROOT, json_texts, remains

KINDS = ["json", "jsonc"]


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data(), entry=ENTRIES)
def test_what_is_put_in_comes_out_and_every_byte_stays(
    kind: str, data: st.DataObject, entry: dict[str, Any]
) -> None:
    text = data.draw(
        json_texts(comments=kind == "jsonc") | st.sampled_from(["", " ", "\r\n", "{}", "{\n}\n"])
    )
    form = format_of(kind)
    others = form.entries(text, (ROOT,))
    new = form.put(text, (ROOT,), "ours", entry)
    assert remains(new, text.strip())
    assert form.entries(new, (ROOT,)) == {**others, "ours": entry}
    left = form.drop(new, (ROOT,), "ours")
    assert form.entries(left, (ROOT,)) == others
    assert remains(left, "".join(text.split()))  # an empty mapping may lose its blanks


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data(), first=ENTRIES, second=ENTRIES)
def test_an_entry_comes_out_from_beside_one_that_came_later(
    kind: str, data: st.DataObject, first: dict[str, Any], second: dict[str, Any]
) -> None:
    text = data.draw(json_texts(comments=kind == "jsonc"))
    form = format_of(kind)
    both = form.put(form.put(text, (ROOT,), "ours", first), (ROOT,), "theirs", second)
    left = form.drop(both, (ROOT,), "ours")
    assert form.entries(left, (ROOT,)) == {**form.entries(text, (ROOT,)), "theirs": second}
    assert remains(left, text.strip())


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data(), first=ENTRIES, second=ENTRIES)
def test_an_entry_is_replaced_in_its_place(
    kind: str, data: st.DataObject, first: dict[str, Any], second: dict[str, Any]
) -> None:
    text = data.draw(json_texts(comments=kind == "jsonc"))
    form = format_of(kind)
    old = form.put(form.put(text, (ROOT,), "ours", first), (ROOT,), "theirs", {"command": "x"})
    new = form.put(old, (ROOT,), "ours", second)
    assert form.entries(new, (ROOT,)) == {**form.entries(old, (ROOT,)), "ours": second}
    assert [*form.entries(new, (ROOT,))] == [*form.entries(old, (ROOT,))]
    assert remains(new, text.strip())
    assert form.put(new, (ROOT,), "ours", first) == old


@pytest.mark.parametrize("text", ["{,}", '{"a": [,]}', '{"a": [ ,\n]}', '{"a": {, /* b */}}'])
def test_a_comma_after_nothing_is_no_final_comma(text: str) -> None:
    with pytest.raises(FormatError, match="unexpected comma"):
        format_of("jsonc").put(text, (ROOT,), "ours", {"command": "x"})
