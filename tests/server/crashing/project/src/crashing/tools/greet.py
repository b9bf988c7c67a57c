"""Greet."""

from crashing._generated.contract import Context, GreetArguments


async def greet(arguments: GreetArguments, context: Context) -> str:
    return "Hello!"
