# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The command `blog-search`: which transport, where it listens, how much it logs."""

import argparse
import asyncio
import logging
import os
import sys
import threading

from blog_search._generated.settings import Settings, SettingsError


def main() -> None:
    """Serve until the client leaves or a signal says stop."""
    options = read_options()
    logging.basicConfig(
        stream=sys.stderr,
        level=options.log_level.upper(),
        format="%(levelname)s %(name)s: %(message)s",
    )
    failure = None
    try:
        Settings.from_environment()
        asyncio.run(serve(options))
    except* SettingsError as errors:
        failure = f"blog-search: {reason(errors)}"
    except* KeyboardInterrupt:
        pass
    sys.exit(failure)


async def serve(options: argparse.Namespace) -> None:
    # Imported here, for what a handler's module prints must not reach standard output.
    if options.transport == "stdio":
        from blog_search._generated import stdio

        await stdio.serve()
    else:
        from blog_search._generated import http

        await http.serve(options)
    leave()


def reason(error: BaseException) -> BaseException:
    """The first error in groups of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="blog-search")
    parser.add_argument(
        "--transport",
        choices=["stdio", "streamable-http", "sse"],
        default="stdio",
        help="how clients reach the server (default: %(default)s)",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="the address to listen on (default: %(default)s)",
    )
    parser.add_argument(
        "--port",
        type=int,
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
    return parser.parse_args()


def leave() -> None:
    """End the process soon, even where a handler still blocks a thread."""
    timer = threading.Timer(0.2, os._exit, [0])
    timer.daemon = True
    timer.start()
