# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Which handler answers for what."""

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

TOOLS: dict[str, Tool[Any, Any]] = {
    "get_alerts": Tool[GetAlertsArguments, GetAlertsResult](
        GetAlertsArguments, get_alerts, timeout=30
    ),
    "get_forecast": Tool[GetForecastArguments, GetForecastResult](
        GetForecastArguments, get_forecast, timeout=30
    ),
}
