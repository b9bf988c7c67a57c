# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The command `service-status`: which transport, where it listens, how much it logs."""

import argparse
import atexit
import logging
import os
import sys
import threading

from service_status._generated.limits import (
    Limits,
    LimitsError,
    add_options,
    use_options,
)
from service_status._generated.log import Formatter
from service_status._generated.loop import run

VARIABLES = {
    "--log-level": "SERVICE_STATUS_LOG_LEVEL",
}


def main() -> None:
    """Serve until the client leaves or a signal says stop."""
    options = read_options()
    open_standard_streams()
    handler = logging.StreamHandler()
    handler.setFormatter(Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=options.log_level.upper(), handlers=[handler])
    failure: str | int = 0
    try:
        use_options(options)
        Limits.from_environment()
        failure = run(serve(options))
    except* LimitsError as errors:
        failure = f"service-status: {reason(errors)}"
    except* KeyboardInterrupt:
        pass
    sys.exit(failure)


async def serve(options: argparse.Namespace) -> int:
    """Serve on the transport of the options; return the exit code of the process."""
    if sys.stdin.isatty():
        hint = "waiting for a client on standard input; to try it: python client.py"
        print(f"service-status: {hint}", file=sys.stderr)
    # Imported here, for what a handler's module prints must not reach standard output.
    from service_status._generated import stdio

    code = await stdio.serve()
    leave(code)
    return code


def reason(error: BaseException) -> BaseException:
    """The first error in groups of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def open_standard_streams() -> None:
    """Open what the parent process has closed, before something else takes its place."""
    if None in (sys.stdin, sys.stdout):
        sys.exit("service-status: standard input or output is closed")
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nothing, mode))


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="service-status",
        epilog=f"Also read from the environment: {', '.join(VARIABLES.values())}.",
    )
    version = "%(prog)s 0.1.0"
    parser.add_argument("--version", action="version", version=version)
    parser.add_argument(
        "--transport",
        choices=["stdio"],
        default="stdio",
        help="how clients reach the server (default: %(default)s)",
    )
    parser.add_argument(
        "--log-level",
        choices=["debug", "info", "warning", "error"],
        default="info",
        help="how much goes to standard error (default: %(default)s)",
    )
    add_options(parser)
    given = [
        f"{option}={value}"
        for option, name in VARIABLES.items()
        if (value := os.environ.get(name))
    ]
    return parser.parse_args([*given, *sys.argv[1:]])


def leave(code: int) -> None:
    """End the process soon, even where a handler still blocks a thread.

    What was registered with `atexit`, such as a flush of telemetry, runs in either case.
    """

    def end() -> None:
        atexit.unregister(settle)
        atexit._run_exitfuncs()
        os._exit(code)

    def settle() -> None:
        timer.cancel()
        timer.join()

    timer = threading.Timer(0.2, end)
    timer.daemon = True
    timer.start()
    atexit.register(settle)
