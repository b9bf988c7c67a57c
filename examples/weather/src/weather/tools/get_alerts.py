"""Get the weather alerts that are in force in a US state or territory now."""

from weather._generated.contract import Context, GetAlertsArguments, GetAlertsResult
from weather.answers import Alert


async def get_alerts(
    arguments: GetAlertsArguments, context: Context
) -> GetAlertsResult:
    state = arguments.state
    alerts = await context.shared.weather.alerts(state)
    return "\n---\n".join(map(in_words, alerts)) or f"No alerts in force in {state}."


def in_words(alert: Alert) -> str:
    lines = [
        f"Event: {alert.event}",
        f"Area: {alert.area}",
        f"Severity: {alert.severity}",
        f"Description: {alert.description or 'none'}",
        f"Instructions: {alert.instruction or 'none'}",
    ]
    return "\n".join(lines)
