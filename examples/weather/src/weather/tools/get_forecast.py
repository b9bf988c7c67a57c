"""Get the forecast for a place in the United States, for a week in half days."""

from weather._generated.contract import (
    CallToolResult,
    Context,
    GetForecastArguments,
    GetForecastPeriod,
    GetForecastResult,
    TextContent,
)
from weather.answers import Period as Answer


async def get_forecast(
    arguments: GetForecastArguments,
    context: Context,
) -> CallToolResult:
    weather = context.shared.weather
    answers = await weather.forecast(arguments.latitude, arguments.longitude)
    result = GetForecastResult(periods=[as_data(answer) for answer in answers])
    text = "\n---\n".join(map(in_words, result.periods))
    return CallToolResult(content=[TextContent(text=text)], structured_content=result)


def as_data(answer: Answer) -> GetForecastPeriod:
    return GetForecastPeriod(
        name=answer.name,
        start=answer.start,
        end=answer.end,
        temperature=answer.temperature,
        temperatureUnit=answer.temperature_unit,
        wind=f"{answer.wind_speed} {answer.wind_direction}",
        forecast=answer.forecast,
    )


def in_words(period: GetForecastPeriod) -> str:
    lines = [
        f"{period.name}:",
        f"Temperature: {period.temperature:g}°{period.temperatureUnit}",
        f"Wind: {period.wind}",
        f"Forecast: {period.forecast}",
    ]
    return "\n".join(lines)
