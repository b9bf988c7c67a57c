"""Asks the user for two things at once."""

import asyncio

from conformance._generated.contract import (
    Context,
    MultiInputArguments,
    MultiInputResult,
)
from conformance.forms import Name


async def multi_input(
    arguments: MultiInputArguments,
    context: Context,
) -> MultiInputResult:
    first, last = await asyncio.gather(
        context.elicit("What is your first name?", Name, name="first"),
        context.elicit("What is your last name?", Name, name="last"),
    )
    return f"Hello, {first} {last}"
