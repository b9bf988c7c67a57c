"""Greet."""

from hello._generated.contract import Context, GreetArguments, GreetResult, TextContent


def greet(arguments: GreetArguments, context: Context) -> GreetResult:
    return TextContent(text=f"Hello {arguments.name}")
