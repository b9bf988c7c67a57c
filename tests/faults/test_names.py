"""A fault is found at its place, whatever the property there is called."""

from __future__ import annotations

import pytest

from scaffold.jsonschema.faults import Explainer

NAMES = ["", "0", "+1", "-1", "01", "1e3", "a/b", "~0", "%20", "é", "a b", '"', "$ref"]
TEXT = {"type": "string"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "schema",
    [{"properties": {"NAME": TEXT}}, {"additionalProperties": TEXT}],
    ids=["declared", "any other"],
)
def test_a_wrong_value_is_found_below_any_name(name: str, schema: dict[str, object]) -> None:
    schema = {key: {name: TEXT} if key == "properties" else rule for key, rule in schema.items()}
    for nested, value in ((schema, {name: 5}), ({"properties": {"in": schema}}, {"in": {name: 5}})):
        (fault,) = Explainer(nested).find(value)
        assert fault.keyword == "type"
        assert fault.spot.value == 5
        assert fault.spot.path[-1] == name


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_does_not_belong_is_told(name: str) -> None:
    for properties in ({}, {"a": TEXT}):
        (fault,) = Explainer({"properties": properties, "additionalProperties": False}).find(
            {name: 5}
        )
        assert fault.about == (name,)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_name_is_told(name: str) -> None:
    (fault,) = Explainer({"properties": {name: TEXT}, "required": [name]}).find({})
    assert fault.about == (name,)
