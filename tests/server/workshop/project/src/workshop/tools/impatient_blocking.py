"""May take a quarter of a second, and knows nothing of it."""

import time

from workshop._generated.contract import Context, ImpatientBlockingArguments


def impatient_blocking(arguments: ImpatientBlockingArguments, context: Context) -> str:
    time.sleep(arguments.seconds)
    return "in time"
