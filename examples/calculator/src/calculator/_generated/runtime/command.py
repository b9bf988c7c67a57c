"""The command that starts the server."""

import argparse
import asyncio
import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeAlias

import anyio

from .handlers import IN_THREADS, first

LEVELS = ("debug", "info", "warning", "error")
# Seconds for the lifespan's exit after the grace time of running calls; then the process
# ends, whatever it does.
EXIT_TIME = 5
# Of messages that wait or are worked on; a value can take 30 times its size in memory.
MAX_BYTES_AT_WORK = 64 * 2**20


class SettingsError(Exception):
    """A variable is missing or wrong; the text is printed, and the server does not start."""


Serve: TypeAlias = Callable[[argparse.Namespace], Awaitable[None]]
AddOptions: TypeAlias = Callable[[Callable[..., None]], None]


def main(
    name: str, version: str, transports: Mapping[str, Serve], *more: AddOptions
) -> None:
    """Serve on one of the transports until the client leaves or a signal comes.

    `more` add options of parts of the server.
    """
    options = read_options(name, version, transports, more)
    # Large messages have more objects than the default allows before it looks at all.
    gc.set_threshold(100_000, 50, 100)
    logging.basicConfig(
        level=options.log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    if options.log_level != "debug":  # The SDK logs each message, and session ids.
        logging.getLogger("mcp").setLevel(logging.WARNING)
    try:
        anyio.run(transports[options.transport], options)
    except BaseException as raised:  # `except*` would print what it lets through.
        error = first(raised)
        if isinstance(error, SettingsError):
            sys.exit(f"{name}: {error}")
        if isinstance(error, SystemExit):  # uvicorn has logged why it cannot listen.
            raise error from None
        if not isinstance(error, KeyboardInterrupt):  # Before the server could serve.
            raise
    gc.freeze()  # At its end, Python would look through all that is left.
    if IN_THREADS:  # Python would wait for their threads.
        logging.shutdown()
        sys.stdout.flush()
        os._exit(0)


def end_soon(seconds: float) -> None:
    """End the process after some seconds, even if a handler blocks it."""
    timer = threading.Timer(seconds, os._exit, [1])
    timer.daemon = True
    timer.start()


def stop_at_signals(stop: Callable[[], object], grace_time: float) -> None:
    """Stop at SIGINT and SIGTERM, even while a handler blocks the event loop."""
    loop = asyncio.get_running_loop()

    def handle(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)  # A second one ends the process at once.
        end_soon(grace_time + EXIT_TIME)
        loop.call_soon_threadsafe(stop)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handle)


def read_options(
    name: str,
    version: str,
    transports: Iterable[str],
    more: Iterable[AddOptions] = (),
) -> argparse.Namespace:
    """Return the options of the command line, or else those of the environment."""
    prefix = name.upper().replace("-", "_")
    parser = argparse.ArgumentParser(
        prog=name,
        epilog=f"Options are also read from variables, such as {prefix}_LOG_LEVEL.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )

    def add(option: str, **about: Any) -> None:
        variable = prefix + option.removeprefix("-").replace("-", "_").upper()
        text = os.environ.get(variable, "")
        # Kubernetes sets NAME_PORT to such an address for a service of our name.
        if text and not text.startswith("tcp://"):
            try:
                value = about.get("type", str)(text)
            except (ValueError, argparse.ArgumentTypeError):
                value = None
            if value is None or value not in about.get("choices", [value]):
                parser.error(f"{variable} cannot be {text!r:.80}")
            about["default"] = value
        parser.add_argument(option, **about)

    add("--transport", default=next(iter(transports)), choices=tuple(transports))
    add("--log-level", default="info", choices=LEVELS, help="what is logged")
    add(
        "--call-time", default=600, type=above_zero, help="seconds that a call may take"
    )
    add(
        "--grace-time",
        default=5,
        type=above_zero,
        help="seconds that running calls have to finish at a stop",
    )
    add("--threads", default=128, type=above_zero, help="plain `def` handlers at once")
    add("--message-size", default=4 * 2**20, type=above_zero, help="bytes in a message")
    for add_options in more:
        add_options(add)
    parser.add_argument("--version", action="version", version=f"{name} {version}")
    return parser.parse_args()


def above_zero(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text) < 10**9):
        raise argparse.ArgumentTypeError(f"must be above 0 and below {10**9}")
    return int(text)
