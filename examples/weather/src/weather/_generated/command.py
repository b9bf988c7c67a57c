# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The command `weather`: which transport, where it listens, how much it logs."""

import argparse
import logging
import os
import sys
import threading

from weather._generated.limits import Limits, LimitsError, add_options, use_options
from weather._generated.log import Formatter
from weather._generated.loop import run
from weather._generated.settings import Settings, SettingsError


def main() -> None:
    """Serve until the client leaves or a signal says stop."""
    options = read_options()
    open_standard_streams(options.transport)
    handler = logging.StreamHandler()
    handler.setFormatter(Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=options.log_level.upper(), handlers=[handler])
    failure: str | int = 0
    try:
        use_options(options)
        Limits.from_environment()
        Settings.from_environment()
        failure = run(serve(options))
    except* (LimitsError, SettingsError) as errors:
        failure = f"weather: {reason(errors)}"
    except* KeyboardInterrupt:
        pass
    sys.exit(failure)


async def serve(options: argparse.Namespace) -> int:
    """Serve on the transport of the options; return the exit code of the process."""
    # Imported here, for what a handler's module prints must not reach standard output.
    code = 0
    if options.transport == "stdio":
        from weather._generated import stdio

        await stdio.serve()
    else:
        from weather._generated import http

        code = await http.serve(options)
    leave(code)
    return code


def reason(error: BaseException) -> BaseException:
    """The first error in groups of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def open_standard_streams(transport: str) -> None:
    """Open what the parent process has closed, before something else takes its place."""
    if transport == "stdio" and None in (sys.stdin, sys.stdout):
        sys.exit("weather: standard input or output is closed")
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nothing, mode))


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="weather")
    parser.add_argument(
        "--transport",
        choices=["stdio", "streamable-http"],
        default="stdio",
        help="how clients reach the server (default: %(default)s)",
    )
    parser.add_argument(
        "--host",
        type=host,
        default="127.0.0.1",
        help="the address to listen on (default: %(default)s)",
    )
    parser.add_argument(
        "--port",
        type=port,
        default=8000,
        help="the port to listen on (default: %(default)s)",
    )
    parser.add_argument(
        "--allowed-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a host name, besides this machine's own, that requests may name",
    )
    parser.add_argument(
        "--allow-unauthenticated",
        action="store_true",
        help="listen beyond this machine although nobody has to show a token",
    )
    parser.add_argument(
        "--log-level",
        choices=["debug", "info", "warning", "error"],
        default="info",
        help="how much goes to standard error (default: %(default)s)",
    )
    add_options(parser)
    return parser.parse_args()


def host(text: str) -> str:
    try:
        text.encode("idna")
    except UnicodeError:
        raise argparse.ArgumentTypeError(f"not a host name: {text!a:.80}") from None
    return text


def port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"must be between 0 and 65535: {text}")
    return number


def leave(code: int) -> None:
    """End the process soon, even where a handler still blocks a thread."""
    timer = threading.Timer(0.2, os._exit, [code])
    timer.daemon = True
    timer.start()
