# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Which handler answers for what."""

from typing import Any

from weather._generated.contract import (
    GetAlertsArguments,
    GetAlertsResult,
    GetForecastArguments,
    GetForecastResult,
    Tool,
)
from weather.tools.get_alerts import get_alerts
from weather.tools.get_forecast import get_forecast

TOOLS: dict[str, Tool[Any, Any]] = {
    "get_alerts": Tool[GetAlertsArguments, GetAlertsResult](get_alerts, timeout=30),
    "get_forecast": Tool[GetForecastArguments, GetForecastResult](
        get_forecast, timeout=30
    ),
}
