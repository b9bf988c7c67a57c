"""Start the server: `everything`, or `python -m everything`."""

import argparse
from functools import partial
from typing import Any

from mcp.server import Server

from everything._generated.runtime import command, log_format
from everything._generated.runtime.bearer import OneToken
from everything._generated.runtime.http import Http
from everything._generated.runtime.sse import sse_routes
from everything._generated.runtime.stdio import serve_stdio
from everything._generated.settings import Settings


def load(options: argparse.Namespace) -> Server[Any]:
    """Import the handlers late: what they print must not reach standard output."""
    log_format.start(options)
    Settings.from_environment()  # What is missing is told before a handler misses it.
    from everything._generated.server import create_server

    return create_server(options.call_time, options.threads)


def main() -> None:
    http = Http(
        load,
        port=3000,
        verifier=lambda: OneToken.from_environment("EVERYTHING_TOKEN"),
        beside=sse_routes,
    )
    command.main(
        "everything",
        "0.1.0",
        {
            "stdio": partial(serve_stdio, load),
            "streamable-http": http.serve,
            "sse": http.serve,
        },
        http.add_options,
        partial(log_format.add_log_format, "text"),
    )


if __name__ == "__main__":
    main()
