"""The command that starts the server."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from .protocol import Server
from .stdio import serve


class SettingsError(Exception):
    """A variable is missing or wrong; the text is printed, and the server does not start."""


LEVELS = ("debug", "info", "warning", "error")


def level(text: str) -> str:
    return LEVELS[LEVELS.index(text)]


def above_zero(text: str) -> int:
    if not 0 < int(text) < 10**9:
        raise ValueError
    return int(text)


# What operators may set: its default, how it is read, and what it is.
OPTIONS: dict[str, tuple[Any, Callable[[str], Any], str]] = {
    "log_level": ("info", level, f"what is logged: {', '.join(LEVELS)}"),
    "call_time": (600, above_zero, "seconds that a call may take"),
    "grace_time": (5, above_zero, "seconds that running calls have to finish at a stop"),
    "threads": (128, above_zero, "calls of handlers at once"),
    "message_size": (4 * 2**20, above_zero, "bytes in a message"),
}


def main(name: str, version: str, load: Callable[[], Server]) -> None:
    """Serve until the client leaves or a signal comes."""
    options = of_environment(name)
    if sys.argv[1:]:  # What reads them takes as long as all else at the start.
        options = of_command_line(name, version, options)
    if sys.stdin and sys.stdin.isatty():
        hint = "waiting for a client on standard input; to try it: python client.py"
        print(f"{name}: {hint}", file=sys.stderr)

    def loaded() -> Server:
        server = load()
        server.message_size = options["message_size"]
        server.call_time = options["call_time"]
        if "logging" in sys.modules:  # If no handler logs, its import is saved.
            import logging

            form = "%(asctime)s %(levelname)s %(name)s: %(message)s"
            logging.basicConfig(level=options["log_level"].upper(), format=form)
        return server

    try:
        serve(loaded, options["threads"], options["grace_time"])
    except SettingsError as error:
        sys.exit(f"{name}: {error}")


def of_environment(name: str) -> dict[str, Any]:
    """Return the options that variables such as `NAME_LOG_LEVEL` have, or the defaults."""
    found = {}
    for option, (default, parse, _) in OPTIONS.items():
        variable = f"{name}_{option}".upper().replace("-", "_")
        text = os.environ.get(variable)
        try:
            found[option] = parse(text) if text else default
        except ValueError:
            sys.exit(f"{name}: {variable} cannot be {text!r:.80}")
    return found


def of_command_line(
    name: str, version: str, defaults: dict[str, Any]
) -> dict[str, Any]:
    import argparse

    parser = argparse.ArgumentParser(prog=name)
    parser.add_argument("--version", action="version", version=f"{name} {version}")
    parser.add_argument("--transport", default="stdio", choices=["stdio"])
    for option, (default, parse, about) in OPTIONS.items():
        flag, text = option.replace("_", "-"), f"{about} (default: {default})"
        parser.add_argument(
            f"--{flag}", default=defaults[option], type=parse, metavar="X", help=text
        )
    return vars(parser.parse_args())
