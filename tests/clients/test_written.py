"""A new configuration reads back as the data that went in."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold.base.text import visible
from scaffold.clients.shapes import fill
from scaffold.editing.formats import written

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
SCALARS = TEXTS | st.booleans() | st.integers(-(2**53), 2**53)
FIELDS = st.dictionaries(
    TEXTS, SCALARS | st.lists(TEXTS) | st.dictionaries(TEXTS, TEXTS, max_size=3), max_size=5
)
DOCUMENTS = st.fixed_dictionaries({"mcpServers": st.dictionaries(TEXTS, FIELDS, max_size=2)})


@pytest.mark.parametrize(
    ("format", "read"), [("json", json.loads), ("jsonc", json.loads), ("toml", tomllib.loads)]
)
@given(document=DOCUMENTS)
def test_json_and_toml_are_read_back_unchanged(
    format: str, read: Any, document: dict[str, Any]
) -> None:
    text = written(document, format)
    assert read(text) == document
    assert visible(text, keep="\n") == text


def test_a_form_has_one_field_on_each_line() -> None:
    form = {"Name": "blog", "Environment": "KEY='a\nb'"}
    assert written(form, "form") == "Name: blog\nEnvironment: KEY='a\\u000ab'\n"


def test_slots_are_filled_with_values_of_any_type() -> None:
    values = {"url": "http://x", "args": ["a", "b"], "env": {}, "token": ""}
    shape = {
        "address": "<url>",
        "line": "at <url>",
        "args": ["-y", "<args>"],
        "env": "<env?>",
        "kept": "<env>",
        "headers": {"Authorization": "Bearer <token?>"},
        "empty": {},
        "on": True,
    }
    assert fill(shape, values) == {
        "address": "http://x",
        "line": "at http://x",
        "args": ["-y", "a", "b"],
        "kept": {},
        "empty": {},
        "on": True,
    }
