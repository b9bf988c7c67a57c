"""Handlers on their own, without a server."""

import json

import pytest
from fake_context import fake_context

from calculator._generated.models import ComExampleCalculatorArithmeticArguments
from calculator.lifespan import Shared
from calculator.observations import Observations
from calculator.resources.places import places
from calculator.tools.com_example_calculator_arithmetic import (
    com_example_calculator_arithmetic,
)

pytestmark = pytest.mark.anyio


def test_an_expression_has_a_value() -> None:
    context = fake_context(shared=Shared(Observations({})))
    arguments = ComExampleCalculatorArithmeticArguments.model_validate(
        {"expression": "2 + 3 * 4"}
    )
    assert com_example_calculator_arithmetic(arguments, context) == "14"


async def test_without_observations_there_are_no_places() -> None:
    assert (
        json.loads(str(await places(fake_context(shared=Shared(Observations({}))))))
        == []
    )
