"""Get the forecast for a place in the United States, for a week in half days."""

from mcp_types import CallToolResult, TextContent

from weather._generated.contract import (
    Context,
    GetForecastArguments,
    GetForecastResult,
    GetForecastResultPeriodsItem,
)
from weather.answers import Period


async def get_forecast(
    arguments: GetForecastArguments,
    context: Context,
) -> CallToolResult:
    weather = context.shared.weather
    periods = await weather.forecast(arguments["latitude"], arguments["longitude"])
    result: GetForecastResult = {"periods": [as_data(period) for period in periods]}
    text = "\n---\n".join(in_words(period) for period in result["periods"])
    return CallToolResult(content=[TextContent(text=text)], structured_content=result)


def as_data(period: Period) -> GetForecastResultPeriodsItem:
    return {
        "name": period.name,
        "start": period.start,
        "end": period.end,
        "temperature": period.temperature,
        "temperatureUnit": period.temperature_unit,
        "wind": f"{period.wind_speed} {period.wind_direction}",
        "forecast": period.forecast,
    }


def in_words(period: GetForecastResultPeriodsItem) -> str:
    lines = [
        f"{period['name']}:",
        f"Temperature: {period['temperature']:g}°{period['temperatureUnit']}",
        f"Wind: {period['wind']}",
        f"Forecast: {period['forecast']}",
    ]
    return "\n".join(lines)
