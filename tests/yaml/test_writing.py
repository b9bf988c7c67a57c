"""A value that is written as YAML is read back as it was, by our reader and by PyYAML."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from scaffold.yaml.source import parse
from scaffold.yaml.writing import WIDTH, yaml_text

AWKWARD = (
    *("on", "yes", "no", "y", "n", "null", "~", "true", "=", "<<", "", " ", "-", "- 0", "?", "---", "..."),
    *("1", "1e3", "0o7", "0x1F", "1_000", "1:30", "2020-01-01", ".inf", "0.1.0", "007", "+1"),
    *("a: b", "a:", "# x", "a #b", "a\tb", "a\n", "\na", "a\n\n", " a\nb", "a \nb", "x" * 2000),
    *("{a}", "[a]", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a`", "'a'", '"a"', "a\\n", "a\u202eb", "é"),
)  # fmt: skip

TEXTS = (
    st.sampled_from(AWKWARD)
    | st.text(st.characters(codec="utf-8"))
    | st.text("ab :#-?,[]{}&*!|>'\"%@`\\\n\t.0123eoxy~=<", max_size=150)
)
NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(TEXTS, below, max_size=5),
    max_leaves=20,
)


@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=5))
@example({"a:\u00a0b": ["c:\u3000d", {"-\u00a0e": "f:\u00a0g"}], "h": {"i:\u00a0j": "k"}})
def test_written_values_are_read_back(value: dict[str, Any]) -> None:
    written = yaml_text(value)
    assert repr(parse(written).value) == repr(value)
    assert repr(yaml.load(written, yaml.CSafeLoader)) == repr(value)


def test_a_long_line_of_text_is_folded() -> None:
    text = " ".join(["word"] * 100)
    written = yaml_text({"description": text})
    assert max(map(len, written.splitlines())) <= WIDTH
    assert parse(written).value == {"description": text}


@pytest.mark.parametrize("key", ["x" * 2000, "a: b" * 100, "\u202e" * 300])
def test_a_key_can_exceed_the_length_limit_of_yaml(key: str) -> None:
    assert parse(yaml_text({"a": {key: {"b": [1, 2]}}})).value == {"a": {key: {"b": [1, 2]}}}
