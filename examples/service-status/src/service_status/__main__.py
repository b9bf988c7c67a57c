# Copyright Acme Ltd. All rights reserved.
"""Start the server: `service-status`, or `python -m service_status`."""

import argparse
from functools import partial
from typing import Any

from mcp.server import Server

from service_status._generated.runtime import command
from service_status._generated.runtime.stdio import serve_stdio


def load(options: argparse.Namespace) -> Server[Any]:
    """Import the handlers late: what they print must not reach standard output."""
    from service_status._generated.server import create_server

    return create_server(options.call_time, options.threads)


def main() -> None:
    command.main("service-status", "0.1.0", {"stdio": partial(serve_stdio, load)})


if __name__ == "__main__":
    main()
