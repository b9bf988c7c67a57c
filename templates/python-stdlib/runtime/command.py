"""The command that starts the server."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

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


Option: TypeAlias = tuple[Any, Callable[[str], Any], str]
"""What operators may set: its default, how it is read, and what it is."""
OPTIONS: Mapping[str, Option] = {
    "log_level": ("info", level, f"what is logged: {', '.join(LEVELS)}"),
    "call_time": (600, above_zero, "seconds that a call may take"),
    "grace_time": (
        5,
        above_zero,
        "seconds that running calls have to finish at a stop",
    ),
    "threads": (128, above_zero, "calls of handlers at once"),
    "message_size": (4 * 2**20, above_zero, "bytes in a message"),
}


def main(
    name: str,
    version: str,
    load: Callable[..., Server],
    more: Mapping[str, Option] = {},
) -> None:
    """Serve until the client leaves or a signal comes; `load` gets the options `more`."""
    known = {**OPTIONS, **more}
    options = of_environment(name, known)
    if sys.argv[1:]:  # What reads them takes as long as all else at the start.
        options = of_command_line(name, version, known, options)
    if sys.stdin and sys.stdin.isatty():
        hint = "waiting for a client on standard input; to try it: python client.py"
        print(f"{name}: {hint}", file=sys.stderr)

    def loaded() -> Server:
        server = load(**{option: options[option] for option in more})
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


def of_environment(name: str, known: Mapping[str, Option]) -> dict[str, Any]:
    """Return the options that variables such as `NAME_LOG_LEVEL` have, or the defaults."""
    values = {}
    for option, (default, parse, _) in known.items():
        variable = f"{name}_{option}".upper().replace("-", "_")
        text = os.environ.get(variable)
        try:
            values[option] = parse(text) if text else default
        except ValueError:
            sys.exit(f"{name}: {variable} cannot be {text!r:.80}")
    return values


def of_command_line(
    name: str, version: str, known: Mapping[str, Option], defaults: dict[str, Any]
) -> dict[str, Any]:
    import argparse

    parser = argparse.ArgumentParser(prog=name)
    parser.add_argument("--version", action="version", version=f"{name} {version}")
    parser.add_argument("--transport", default="stdio", choices=["stdio"])
    for option, (default, parse, about) in known.items():
        text = f"{about} (default: {default})" if default else about
        parser.add_argument(
            f"--{option.replace('_', '-')}",
            default=defaults[option],
            type=parse,
            nargs="?" if default is False else None,
            const=True if default is False else None,
            metavar="X",
            help=text,
        )
    return vars(parser.parse_args())
