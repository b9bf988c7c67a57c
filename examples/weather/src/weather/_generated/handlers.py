# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The handlers, by the names that clients use."""

from typing import Any

from weather._generated.contract import Tool
from weather._generated.models import (
    GetAlertsArguments,
    GetAlertsResult,
    GetForecastArguments,
    GetForecastResult,
)
from weather.tools.get_alerts import get_alerts
from weather.tools.get_forecast import get_forecast

# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "get_alerts": Tool[GetAlertsArguments, GetAlertsResult](
        GetAlertsArguments, get_alerts, timeout=30
    ),
    "get_forecast": Tool[GetForecastArguments, GetForecastResult](
        GetForecastArguments, get_forecast, timeout=30
    ),
}
