"""Start the server: `library`, or `python -m library`."""

import argparse
from typing import Any

from mcp.server import Server

from library._generated.runtime import command
from library._generated.runtime.stdio import Stdio
from library._generated.runtime.toolsets import Choice, ChoiceOptions
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
    command.main("library", "1.4", {"stdio": Stdio(load)}, ChoiceOptions())


if __name__ == "__main__":
    main()
