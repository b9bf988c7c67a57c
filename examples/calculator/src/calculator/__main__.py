"""Start the server: `calculator`, or `python -m calculator`."""

import argparse
from functools import partial
from typing import Any

from mcp.server import Server

from calculator._generated.runtime import command
from calculator._generated.runtime.http import Http
from calculator._generated.runtime.stdio import serve_stdio


def load(options: argparse.Namespace) -> Server[Any]:
    """Import the handlers late: what they print must not reach standard output."""
    from calculator._generated.server import create_server

    return create_server(options.call_time, options.threads)


def main() -> None:
    http = Http(load, stateless=True)
    command.main(
        "calculator",
        "1.0.0",
        {"stdio": partial(serve_stdio, load), "streamable-http": http.serve},
        http.add_options,
    )


if __name__ == "__main__":
    main()
