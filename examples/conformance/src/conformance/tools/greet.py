"""Greets somebody, and is no task."""

from conformance._generated.contract import Context, GreetArguments, GreetResult


async def greet(arguments: GreetArguments, context: Context) -> GreetResult:
    return f"Hello, {arguments.name}!"
