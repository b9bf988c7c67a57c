"""How often it was changed."""

from conformance._generated.contract import Context, ResourceResult


async def watched_resource(context: Context) -> ResourceResult:
    return f"Version {context.shared.watched.version}"
