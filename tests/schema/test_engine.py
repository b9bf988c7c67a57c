"""Values are validated as the generated servers validate them."""

from __future__ import annotations

import pytest

from scaffold.schema.engine import errors, lines, validator

DRAFT_07 = {"$schema": "http://json-schema.org/draft-07/schema#"}


@pytest.mark.parametrize("dialect", [{}, DRAFT_07], ids=["2020-12", "draft-07"])
def test_formats_and_encodings_are_checked_in_both_dialects(dialect: dict[str, str]) -> None:
    assert not validator({**dialect, "format": "date"}).is_valid("soon")
    encoded = validator({**dialect, "contentEncoding": "base64"})
    assert encoded.is_valid("YQ==")
    assert not encoded.is_valid("?")


def test_errors_in_a_union_are_those_of_the_nearest_alternative() -> None:
    place = {"properties": {"lat": {"type": "number"}}, "required": ["lat"], "type": "object"}
    engine = validator({"anyOf": [{"type": "string"}, place]})
    assert lines(errors(engine, {"lat": "north"})) == ['/lat: "north" is not of type "number"']
