"""Signs of life on a terminal's standard error during long runs, which are gone at the end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import count

from scaffold.cli.console import chosen_format

_CLEAR = "\r\x1b[2K"
"""Back to the start of the line, and erase it."""


@contextmanager
def clock(doing: str) -> Generator[Callable[[str], None]]:
    """Show people at a terminal what a run does and its seconds, if it takes more than one.

    Yields a function that changes what it does. A timer interrupts the run, as a thread would keep
    it from forking. Windows has no such timer, so nothing is shown there. Do not print or ask
    anything within.
    """
    shown = [doing]

    def change(now: str) -> None:
        shown[0] = now

    if sys.platform == "win32" or chosen_format() != "human" or not sys.stderr.isatty():
        yield change
        return
    seconds = count(1)

    def tick(*_: object) -> None:  # the stream may be locked by the code that is interrupted
        os.write(sys.stderr.fileno(), f"{_CLEAR}{shown[0]} ({next(seconds)} s)".encode())

    before = signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    try:
        yield change
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if next(seconds) > 1:
            os.write(sys.stderr.fileno(), _CLEAR.encode())
