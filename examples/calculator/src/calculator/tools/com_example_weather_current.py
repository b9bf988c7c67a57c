"""Get the weather at a place, from the observations that this server ships with."""

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
    observation = context.shared.observations.at(arguments["location"])
    result: ComExampleWeatherCurrentResult = {
        "place": observation.place,
        "observed": observation.observed,
        "conditions": observation.conditions,
        "temperature": observation.temperature,
        "temperatureUnit": "°C",
        "windSpeed": observation.wind_speed,
        "windUnit": "m/s",
        "windDirection": observation.wind_direction,
        "humidity": observation.humidity,
    }
    if arguments["units"] == "imperial":
        result["temperature"] = round(observation.temperature * 9 / 5 + 32, 1)
        result["temperatureUnit"] = "°F"
        result["windSpeed"] = round(observation.wind_speed / MILES_PER_HOUR, 1)
        result["windUnit"] = "mph"
    elif arguments["units"] == "standard":
        result["temperature"] = round(observation.temperature + 273.15, 2)
        result["temperatureUnit"] = "K"
    return result
