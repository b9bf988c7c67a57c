"""Greet from a coroutine that a plain decorator hides."""

from collections.abc import Iterator
from contextlib import contextmanager

from crashing._generated.contract import Context, TracedArguments


@contextmanager
def span() -> Iterator[None]:
    yield


@span()
async def traced(arguments: TracedArguments, context: Context) -> str:
    return "Hello!"
