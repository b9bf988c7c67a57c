"""Work on several paths side by side, in as many processes as there are cores."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import click

from scaffold.cli.console import hide_lost_interrupts
from scaffold.cli.progress import Bar

_STOPS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
_Result = TypeVar("_Result")


def side_by_side(
    work: Callable[[Path], _Result], paths: Sequence[Path], form: str
) -> dict[Path, _Result]:
    """Return the result of `work` for each path, in the order given.

    Nobody is asked anything. Progress is shown to people at a terminal. Ctrl-C in a terminal
    interrupts the work that has begun; any signal to stop leaves out what has not.
    """
    from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    running, done = dict[Future[_Result], Path](), dict[Path, Future[_Result]]()
    stops, count = list[int](), min(_cores(), len(paths))
    context = get_context("spawn" if sys.platform == "win32" else "fork")
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        work = partial(_interruptible, work)
    with (
        _at_stops(stops.append),
        ProcessPoolExecutor(count, context, _begin) as pool,
        Bar(len(paths), form) as bar,
    ):
        waiting = iter(paths)
        try:
            while True:
                while len(running) < count and not stops and (path := next(waiting, None)):
                    running[pool.submit(work, path)] = path
                if not running:
                    break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    done[running.pop(future)] = future
                    bar.advance(len(done))
        except BrokenProcessPool:
            wait(running)
            done |= {path: future for future, path in running.items()}
    errors = {path: future.exception() for path, future in done.items()}
    if any(isinstance(error, BrokenProcessPool) for error in errors.values()):
        click.echo("error: a process was killed; does it need too much memory?", err=True)
    stopped = BrokenProcessPool, KeyboardInterrupt
    return {
        path: done[path].result()
        for path in paths
        if path in done and not isinstance(errors[path], stopped)
    }


@contextmanager
def _at_stops(act: Callable[[int], None]) -> Generator[None]:
    """Act on a signal to stop instead of raising KeyboardInterrupt, unless it is ignored.

    The exception could be raised anywhere, and a result be lost. `act` may be called while it runs.
    """
    before = {number: signal.getsignal(number) for number in _STOPS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, lambda number, _: act(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _begin() -> None:
    """Prepare a process: nobody answers in it, and Ctrl-C can interrupt only its work."""
    for number in _STOPS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    hide_lost_interrupts()
    sys.stdin = open(os.devnull)  # noqa: SIM115 - for as long as the process lives
    os.environ["GIT_TERMINAL_PROMPT"] = "0"


def _interruptible(work: Callable[[Path], _Result], path: Path) -> _Result:
    heard = list[int]()

    def interrupt(number: int, _: object) -> None:
        heard.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        return work(path)
    except Exception as error:
        if heard:  # Python 3.11 makes it a RuntimeError while a class is created, as in an import.
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
