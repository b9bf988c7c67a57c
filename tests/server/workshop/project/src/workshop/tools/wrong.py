"""A result that breaks its schema."""

from typing import Any

from workshop._generated.contract import Context
from workshop._generated.models import WrongArguments, WrongResult


def wrong(arguments: WrongArguments, context: Context) -> WrongResult:
    weight: Any = "a secret"
    return {"weight": weight}
