"""Signs of life on a terminal's standard error during long runs, which are gone at the end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from typing import Self

import click

_CLEAR = "\r\x1b[2K"
"""Back to the start of the line, and erase it."""


class Bar:
    """A line that counts what is done, for people at a terminal."""

    def __init__(self, total: int, form: str) -> None:
        """Create a bar for so many steps; `form` is the `--format` of the command."""
        self._total, self._shown = total, _has_readers(form)

    def __enter__(self) -> Self:
        self.advance(0)
        return self

    def __exit__(self, *_: object) -> None:
        self._show("")

    def advance(self, done: int) -> None:
        """Show that so many are done."""
        import shutil

        width = min(shutil.get_terminal_size().columns - 20, 40)
        bar = "█" * (done * width // self._total)
        self._show(f"{bar:░<{width}} {done} of {self._total}")

    def _show(self, text: str) -> None:
        if self._shown:
            click.echo(f"{_CLEAR}{text}", err=True, nl=False, color=True)


@contextmanager
def clock(doing: str, form: str) -> Generator[None]:
    """Show people at a terminal what a run does and its seconds, if it takes more than one.

    A timer interrupts the run, as a thread would keep it from forking. Windows has no such timer,
    so nothing is shown there. Do not print or ask anything within.
    """
    if sys.platform == "win32" or not _has_readers(form):
        yield
        return
    seconds = count(1)

    def tick(*_: object) -> None:  # the stream may be locked by the code that is interrupted
        os.write(sys.stderr.fileno(), f"{_CLEAR}{doing} ({next(seconds)} s)".encode())

    before = signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if next(seconds) > 1:
            os.write(sys.stderr.fileno(), _CLEAR.encode())


def _has_readers(form: str) -> bool:
    return form == "human" and sys.stderr.isatty()
