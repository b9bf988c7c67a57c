"""Expressions print Python that means what they say, and hides nothing from a reader."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold.languages.python.types.expressions import literal, quoted

json_values: st.SearchStrategy[object] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10), inner),
    max_leaves=12,
)


@given(json_values)
def test_the_literal_of_a_json_value_evaluates_to_it(value: object) -> None:
    assert ast.literal_eval(str(literal(value))) == value


@given(st.text() | st.text("'\"\\\n\t\x00\u202eé中 "))
def test_a_quoted_text_is_printable_and_evaluates_to_the_text(text: str) -> None:
    source = quoted(text)
    assert ast.literal_eval(source) == text
    assert source.isprintable()


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("plain", '"plain"'),
        ("it's", '"it\'s"'),
        ('say "hi"', "'say \"hi\"'"),
        ("'\"", '"\'\\""'),
        ("a\nb\tc\\", '"a\\nb\\tc\\\\"'),
        ("naïve ツール 中文 עברית हिन्दी €→✓ 🔧", '"naïve ツール 中文 עברית हिन्दी €→✓ 🔧"'),
        ("\x00\x1b\x7f\x85\xa0\xad", '"\\x00\\x1b\\x7f\\x85\\xa0\\xad"'),
        ("user\u202egnp", '"user\\u202egnp"'),
        ("zero\u200bwidth\u200djoiner\ufeff", '"zero\\u200bwidth\\u200djoiner\\ufeff"'),
        ("line\u2028end\u3000wide", '"line\\u2028end\\u3000wide"'),
        ("\U000e0041tag", '"\\U000e0041tag"'),
        ("cafe\u0301", '"cafe\\u0301"'),
        ("\u212b", '"\\u212b"'),
    ],
)
def test_readable_characters_stay_and_others_are_escaped(text: str, source: str) -> None:
    assert quoted(text) == source
