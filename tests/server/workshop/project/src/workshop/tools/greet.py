"""Greet someone; a plain function that returns text."""

from workshop._generated.contract import Context, GreetArguments


def greet(arguments: GreetArguments, context: Context) -> str:
    greeting = context.shared.settings.workshop_greeting
    return f"{greeting}, {arguments.name}{arguments.punctuation}"
