"""Start the server: `reading-list`, or `python -m reading_list`."""

import argparse
from functools import partial
from typing import Any

from mcp.server import Server

from reading_list._generated.runtime import command
from reading_list._generated.runtime.stdio import serve_stdio


def load(options: argparse.Namespace) -> Server[Any]:
    """Import the handlers late: what they print must not reach standard output."""
    from reading_list._generated.server import create_server

    return create_server(options.call_time, options.threads)


def main() -> None:
    command.main("reading-list", "1.0.0", {"stdio": partial(serve_stdio, load)})


if __name__ == "__main__":
    main()
