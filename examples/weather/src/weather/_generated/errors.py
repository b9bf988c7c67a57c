# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Errors for handlers to raise, whose text the client gets."""


class ToolError(Exception):
    """A call failed for a reason that the model should read."""


class UnknownState(ToolError):
    def __init__(self, *, state: object) -> None:
        super().__init__(f"{state} is not the code of a US state or territory.")


class NoForecast(ToolError):
    def __init__(self, *, latitude: object, longitude: object) -> None:
        super().__init__(
            f"No forecast for {latitude}, {longitude}: only land in the United States and its territories has one."
        )


class WeatherUnavailable(ToolError):
    def __init__(self, *, reason: object) -> None:
        super().__init__(
            f"The weather service did not answer as it should: {reason}. Try again later."
        )
