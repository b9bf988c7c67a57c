"""Print to standard output in every way there is."""

import os
import subprocess
import sys

from workshop._generated.contract import Context, ShoutArguments


def shout_everywhere(what: str) -> None:
    print("print", what)
    print("unflushed", what, end="")
    sys.stdout.write(f"sys.stdout {what}\n")
    sys.stdout.flush()
    sys.stdout.buffer.write(b"sys.stdout.buffer\n")
    assert sys.__stdout__
    sys.__stdout__.write(f"sys.__stdout__ {what}\n")
    os.write(1, f"os.write {what}\n".encode())
    subprocess.run(["echo", "echo", what], check=True)


shout_everywhere("at import time")


def shout(arguments: ShoutArguments, context: Context) -> str:
    shout_everywhere("in a handler")
    return f"shouted {arguments.tag}"
