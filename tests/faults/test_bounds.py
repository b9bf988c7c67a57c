"""The search for faults ends, however large the value and however many its faults."""

from __future__ import annotations

from scaffold.jsonschema.faults import MOST_FAULTS, UNCLEAR, Explainer

NUMBERS = {"items": {"type": "integer"}}


def test_at_most_one_fault_more_is_found_than_was_asked_for() -> None:
    assert len(Explainer(NUMBERS).find(["x"] * 100, most=3)) == 4


def test_the_first_faults_are_told_and_that_there_are_more() -> None:
    told = [f'/{number}: must be an integer, not "x"' for number in range(MOST_FAULTS)]
    assert Explainer(NUMBERS).explain(["x"] * MOST_FAULTS) == told
    assert Explainer(NUMBERS).explain(["x"] * 100) == [*told, "and more"]


def test_a_value_that_takes_too_much_work_is_only_said_to_be_wrong() -> None:
    assert Explainer(NUMBERS).explain([1] * 1_000_000 + ["x"]) == [f"/: {UNCLEAR}"]


def test_faults_are_told_in_the_order_of_the_schema() -> None:
    text = {"type": "string"}
    schema = {"properties": {"z": text, "a": text, "m": text}, "required": ["y", "b"]}
    lines = Explainer(schema).explain({"a": 1, "m": 1, "z": 1})
    assert [line[:4] for line in lines] == ['/: "', '/: "', "/z: ", "/a: ", "/m: "]
