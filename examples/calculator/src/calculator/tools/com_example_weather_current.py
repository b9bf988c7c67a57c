"""Get the weather at a place, from the observations that this server ships with."""

from datetime import datetime
from typing import Literal

from calculator._generated.contract import (
    ComExampleWeatherCurrentArguments,
    ComExampleWeatherCurrentResult,
    Context,
)

MILES_PER_HOUR = 0.44704
"""In metres a second."""


async def com_example_weather_current(
    arguments: ComExampleWeatherCurrentArguments,
    context: Context,
) -> ComExampleWeatherCurrentResult:
    observation = context.shared.observations.at(arguments.location)
    temperature: tuple[float, Literal["°C", "°F", "K"]] = observation.temperature, "°C"
    wind: tuple[float, Literal["m/s", "mph"]] = observation.wind_speed, "m/s"
    if arguments.units == "imperial":
        temperature = round(observation.temperature * 9 / 5 + 32, 1), "°F"
        wind = round(observation.wind_speed / MILES_PER_HOUR, 1), "mph"
    elif arguments.units == "standard":
        temperature = round(observation.temperature + 273.15, 2), "K"
    return ComExampleWeatherCurrentResult(
        place=observation.place,
        observed=datetime.fromisoformat(observation.observed),
        conditions=observation.conditions,
        temperature=temperature[0],
        temperatureUnit=temperature[1],
        windSpeed=wind[0],
        windUnit=wind[1],
        windDirection=observation.wind_direction,
        humidity=observation.humidity,
    )
