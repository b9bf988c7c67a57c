"""Text from a handler."""

from workshop._generated.contract import Context, PromptResult
from workshop._generated.models import ShortArguments


def short(arguments: ShortArguments, context: Context) -> PromptResult:
    return "Be brief."
