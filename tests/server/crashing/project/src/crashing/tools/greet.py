"""Greet."""

from crashing._generated.contract import Context
from crashing._generated.models import GreetArguments


async def greet(arguments: GreetArguments, context: Context) -> str:
    return "Hello!"
