"""Read standard input."""

import sys

from workshop._generated.contract import Context
from workshop._generated.models import ListenArguments


def listen(arguments: ListenArguments, context: Context) -> str:
    return f"heard {sys.stdin.read()!r}"
