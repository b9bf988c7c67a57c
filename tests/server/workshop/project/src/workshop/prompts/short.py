"""Text from a handler."""

from workshop._generated.contract import Context, PromptResult, ShortArguments


def short(arguments: ShortArguments, context: Context) -> PromptResult:
    return "Be brief."
