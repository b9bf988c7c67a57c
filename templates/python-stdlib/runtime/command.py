"""The command that starts the server."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from .protocol import Server
from .settings import SettingsError
from .stdio import serve

LEVELS = ("debug", "info", "warning", "error")
# What operators may set, with its default and what it is.
LIMITS = {
    "call_time": (600, "seconds that a call may take"),
    "threads": (128, "calls of handlers at once"),
    "message_size": (4 * 2**20, "bytes in a message"),
}


def main(name: str, version: str, load: Callable[[], Server]) -> None:
    """Serve until the client leaves or a signal comes."""
    prefix = name.upper().replace("-", "_")
    given = {option: os.environ.get(variable(prefix, option)) for option in LIMITS}
    level = os.environ.get(f"{prefix}_LOG_LEVEL") or "info"
    if sys.argv[1:]:  # What reads options takes a tenth of the time of a start.
        level = read_options(name, version, level, given)
    limits, faults = numbers(prefix, given)
    if level not in LEVELS:
        faults.append(f"{prefix}_LOG_LEVEL must be one of {', '.join(LEVELS)}")
    if faults:
        sys.exit(f"{name}: {'; '.join(faults)}")
    if sys.stdin and sys.stdin.isatty():
        hint = "waiting for a client on standard input; to try it: python client.py"
        print(f"{name}: {hint}", file=sys.stderr)

    def loaded() -> Server:
        server = load()
        server.message_size = limits["message_size"]
        server.call_time = limits["call_time"]
        set_up_log(level)
        return server

    try:
        serve(loaded, limits["threads"])
    except SettingsError as error:
        sys.exit(f"{name}: {error}")


def variable(prefix: str, option: str) -> str:
    return f"{prefix}_{option.upper()}"


def numbers(
    prefix: str, given: dict[str, str | None]
) -> tuple[dict[str, int], list[str]]:
    """Return the limits, and what is wrong with those that were given."""
    limits = {key: default for key, (default, _) in LIMITS.items()}
    faults = []
    for option, text in given.items():
        try:
            limits[option] = int(text or limits[option])
        except ValueError:
            limits[option] = 0
        if not 0 < limits[option] < 10**9:
            flag, name = option.replace("_", "-"), variable(prefix, option)
            faults.append(f"--{flag} or {name} cannot be {text!r:.80}")
    return limits, faults


def read_options(
    name: str, version: str, level: str, given: dict[str, str | None]
) -> str:
    """Read the command line into the limits that are given; return the level of the log."""
    import argparse

    parser = argparse.ArgumentParser(prog=name)
    parser.add_argument("--version", action="version", version=f"{name} {version}")
    parser.add_argument("--transport", default="stdio", choices=["stdio"])
    parser.add_argument("--log-level", default=level, choices=LEVELS)
    for option, (default, about) in LIMITS.items():
        flag = f"--{option.replace('_', '-')}"
        text = f"{about} (default: {default})"
        parser.add_argument(flag, default=given[option], metavar="N", help=text)
    options = vars(parser.parse_args())
    given.update({option: options[option] for option in LIMITS})
    return str(options["log_level"])


def set_up_log(level: str) -> None:
    """Write the log to standard error, if any handler logs: else its import is saved."""
    if "logging" in sys.modules:
        import logging

        form = "%(asctime)s %(levelname)s %(name)s: %(message)s"
        logging.basicConfig(level=level.upper(), format=form)
