"""Text from a handler."""

from workshop._generated.contract import Context, ResourceResult


async def diary(context: Context) -> ResourceResult:
    return "Dear diary – ☃"
