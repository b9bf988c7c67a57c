"""Start the server: `library`, or `python -m library`."""

import argparse
from functools import partial
from typing import Any

from mcp.server import Server

from library._generated.runtime import command
from library._generated.runtime.stdio import serve_stdio
from library._generated.runtime.toolsets import Choice, add_choice
from library._generated.settings import Settings


def load(options: argparse.Namespace) -> Server[Any]:
    """Import the handlers late: what they print must not reach standard output."""
    Settings.from_environment()  # What is missing is told before a handler misses it.
    from library._generated.server import create_server

    return create_server(
        options.call_time,
        options.threads,
        Choice(options.toolsets, options.tools, options.read_only),
    )


def main() -> None:
    command.main("library", "1.4", {"stdio": partial(serve_stdio, load)}, add_choice)


if __name__ == "__main__":
    main()
