"""Block a thread for longer than the call may take."""

import time

from crashing._generated.contract import Context, WaitArguments


def wait(arguments: WaitArguments, context: Context) -> str:
    time.sleep(2)
    return "never heard"
