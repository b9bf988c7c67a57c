"""Read standard input."""

import sys

from workshop._generated.contract import Context, ListenArguments


def listen(arguments: ListenArguments, context: Context) -> str:
    return f"heard {sys.stdin.read()!r}"
