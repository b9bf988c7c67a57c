"""Wait in a plain function, as code does that knows nothing of event loops."""

import time
from pathlib import Path

from workshop._generated.contract import BlockingArguments, Context


def blocking(arguments: BlockingArguments, context: Context) -> str:
    context.shared.write("blocking begins")
    time.sleep(arguments.seconds)
    while arguments.until and not Path(arguments.until).exists():
        time.sleep(0.01)
    return f"blocking {arguments.tag}"
