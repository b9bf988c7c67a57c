"""A result that breaks its schema."""

from typing import cast

from workshop._generated.contract import Context, WrongArguments, WrongResult


def wrong(arguments: WrongArguments, context: Context) -> WrongResult:
    return cast(WrongResult, {"weight": "a secret"})
