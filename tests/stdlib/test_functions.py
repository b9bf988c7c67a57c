"""Arguments of functions that handlers call, without packages."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.stdlib.runtime import runtime


@dataclass
class Point:
    x: int


def test_an_object_with_a_property_that_its_class_has_not_is_a_wrong_value() -> None:
    record = runtime("functions").record
    assert record(Point, {"x": 1}) == Point(1)
    with pytest.raises(ValueError, match="unexpected keyword argument 'y'"):
        record(Point, {"x": 1, "y": 2})
