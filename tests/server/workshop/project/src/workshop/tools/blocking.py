"""Wait in a plain function, as code does that knows nothing of event loops."""

import time

from workshop._generated.contract import BlockingArguments, Context


def blocking(arguments: BlockingArguments, context: Context) -> str:
    context.shared.write("blocking begins")
    time.sleep(arguments.seconds)
    return f"blocking {arguments.tag}"
