"""Expected results as JSON Schemas: what fits one, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from scaffold.format.placeholders import schema_of
from scaffold.schema.engine import validator

FITTING: list[tuple[Any, list[Any], list[Any]]] = [
    (None, [None], [0, False, "", {}]),
    (1, [1, 1.0], [True, "1", 2]),
    (True, [True], [1, "true"]),
    ("", [""], [None, "x"]),
    ([], [[]], [[None], {}]),
    ({}, [{}, {"more": 1}], [[], None]),
    ({"a": {"b": []}}, [{"a": {"b": [], "c": 1}}], [{}, {"a": {}}, {"a": {"b": [1]}}]),
    ([1, "…"], [[1, None], [1, {"x": 1}]], [[1], [1, 2, 3], [2, 2]]),
    ("…", ["", None, [1]], []),
    ({"a": "…"}, [{"a": None}], [{}]),
    ("a… (b)", ["a (b)", "a\nc (b)"], ["a  b", "xa (b)", "a (b)\n", 1]),
    ({"$pattern": "^[0-9]+$"}, ["12"], ["a", 12]),
    ("${other.id} …", ["${other.id} x"], ["x x"]),
]


@pytest.mark.parametrize(("expected", "fitting", "others"), FITTING)
def test_a_result_is_compared_with_the_expected_one(
    expected: Any, fitting: list[Any], others: list[Any]
) -> None:
    engine = validator(schema_of(expected, []))
    assert [value for value in fitting if not engine.is_valid(value)] == []
    assert [value for value in others if engine.is_valid(value)] == []


@pytest.mark.parametrize(
    ("expected", "schema"),
    [
        ("${one.n}", {"enum": ["${one.n}"]}),
        ("no ${one.n}", {"type": "string", "pattern": r"^no\ ${one.n}$"}),
        ({"$pattern": "^${one.n}"}, {"type": "string", "pattern": "^${one.n}"}),
        ({"$pattern": "${one.n}"}, {"type": "string", "pattern": "(?:${one.n})"}),
    ],
)
def test_a_reference_stands_for_a_whole_value_only_where_any_value_fits(
    expected: Any, schema: dict[str, Any]
) -> None:
    """The client script replaces a reference that is a whole text, and escapes all others."""
    assert schema_of(expected, ["one"]) == schema
