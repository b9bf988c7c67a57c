"""One entry goes into a TOML file and out again; every other byte stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold.clients.formats import FormatError, format_of
from scaffold.clients.written import written
from tests.clients.formats.layouts import ENTRIES, NAMES, ROOT, TEXTS, remains

FORM = format_of("toml")

STATEMENTS = st.sampled_from(
    [
        'model = "x" # [a]',
        'text = """\n[servers.ours]\n# "\\""""',
        "raw = '''\n[[x]]''''",
        "list = [ # ]\n  1, [2],\n]",
        "inline = { a = [1], 'b]' = \"}\" }",
        "when = 1979-05-27T07:32:00Z",
        "odd = nan",
        "# a comment",
        "",
        "   ",
    ]
)


@st.composite
def toml_texts(draw: Callable[..., Any]) -> str:
    """Return a TOML document with a table of servers or without, in any layout."""
    lines = [*draw(st.lists(STATEMENTS, max_size=4, unique=True))]
    if draw(st.booleans()):
        lines.append("[profiles.fast]")
        lines += draw(st.lists(STATEMENTS, max_size=3, unique=True))
    for name in draw(st.lists(NAMES.filter(lambda name: name != "ours"), max_size=3, unique=True)):
        theirs = {ROOT: {name: {"command": draw(TEXTS), "env": {"A": draw(TEXTS)}}}}
        note = draw(st.sampled_from(["", "# theirs", "  "]))
        lines += [note, written(theirs, "toml").rstrip("\n")]
    if draw(st.booleans()):
        lines += ["  [[other]]", "a = 1"]
    text: str = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n", "\n# end"]))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@given(text=toml_texts(), entry=ENTRIES)
def test_what_is_put_in_comes_out_and_every_byte_stays(text: str, entry: dict[str, Any]) -> None:
    others = FORM.entries(text, (ROOT,))
    new = FORM.put(text, (ROOT,), "ours", entry)
    assert remains(new, text)
    assert FORM.entries(new, (ROOT,)) == {**others, "ours": entry}
    left = FORM.drop(new, (ROOT,), "ours")
    assert FORM.entries(left, (ROOT,)) == others
    assert remains(left, text.rstrip())


@given(text=toml_texts(), first=ENTRIES, second=ENTRIES)
def test_an_entry_comes_out_from_beside_one_that_came_later(
    text: str, first: dict[str, Any], second: dict[str, Any]
) -> None:
    both = FORM.put(FORM.put(text, (ROOT,), "ours", first), (ROOT,), "theirs", second)
    left = FORM.drop(both, (ROOT,), "ours")
    assert remains(left, text.rstrip())
    assert FORM.entries(left, (ROOT,)) == {**FORM.entries(text, (ROOT,)), "theirs": second}


@given(text=toml_texts(), first=ENTRIES, second=ENTRIES)
def test_an_entry_is_replaced_in_its_place(
    text: str, first: dict[str, Any], second: dict[str, Any]
) -> None:
    both = FORM.put(FORM.put(text, (ROOT,), "ours", first), (ROOT,), "theirs", first)
    new = FORM.put(both, (ROOT,), "ours", second)
    assert FORM.entries(new, (ROOT,)) == {**FORM.entries(both, (ROOT,)), "ours": second}
    assert [*FORM.entries(new, (ROOT,))] == [*FORM.entries(both, (ROOT,))]
    assert remains(new, text.rstrip())


def test_tables_that_tomlkit_would_move_are_refused() -> None:
    text = "[servers.a]\nx = 1\n[[other]]\ny = 1\n[servers.b]\nx = 2\n"
    with pytest.raises(FormatError, match="are not next to each other"):
        FORM.put(text, (ROOT,), "ours", {"command": "x"})
