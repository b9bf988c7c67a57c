"""Start the server: `weather`, or `python -m weather`."""

import argparse
from functools import partial
from typing import Any

from mcp.server import Server

from weather._generated.runtime import command
from weather._generated.runtime.http import Http
from weather._generated.runtime.stdio import serve_stdio
from weather._generated.settings import Settings


def load(options: argparse.Namespace) -> Server[Any]:
    """Import the handlers late: what they print must not reach standard output."""
    Settings.from_environment()  # What is missing is told before a handler misses it.
    from weather._generated.server import create_server

    return create_server(options.call_time, options.threads)


def main() -> None:
    http = Http(load, stateless=True)
    command.main(
        "weather",
        "1.0.0",
        {"stdio": partial(serve_stdio, load), "streamable-http": http.serve},
        http.add_options,
    )


if __name__ == "__main__":
    main()
