# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The handlers, by the names that clients use."""

from typing import Any

from calculator._generated.contract import Resource, Tool
from calculator._generated.models import (
    ComExampleCalculatorArithmeticArguments,
    ComExampleCalculatorArithmeticResult,
    ComExampleWeatherCurrentArguments,
    ComExampleWeatherCurrentResult,
)
from calculator.resources.places import places
from calculator.tools.com_example_calculator_arithmetic import (
    com_example_calculator_arithmetic,
)
from calculator.tools.com_example_weather_current import com_example_weather_current

# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "com.example.calculator/arithmetic": Tool[
        ComExampleCalculatorArithmeticArguments, ComExampleCalculatorArithmeticResult
    ](
        ComExampleCalculatorArithmeticArguments,
        com_example_calculator_arithmetic,
        timeout=10,
    ),
    "com.example.weather/current": Tool[
        ComExampleWeatherCurrentArguments, ComExampleWeatherCurrentResult
    ](ComExampleWeatherCurrentArguments, com_example_weather_current),
}

RESOURCES: dict[str, Resource] = {
    "weather://places": Resource(places, mime_type="application/json"),
}
