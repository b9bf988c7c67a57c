"""Start the server: `conformance`, or `python -m conformance`."""

import argparse
from functools import partial
from typing import Any

from mcp.server import Server

from conformance._generated.runtime import command
from conformance._generated.runtime.http import Http
from conformance._generated.runtime.sse import sse_routes
from conformance._generated.runtime.stdio import serve_stdio
from conformance._generated.runtime.task_store import add_tasks_file


def load(options: argparse.Namespace) -> Server[Any]:
    """Import the handlers late: what they print must not reach standard output."""
    from conformance._generated.server import create_server

    return create_server(options.call_time, options.threads, tasks_file=options.tasks)


def end_subscriptions() -> None:
    """Let clients subscribe to another process, before this one stops."""
    from conformance._generated.contract import CHANGES

    CHANGES.listener.close()


def main() -> None:
    http = Http(load, at_stop=end_subscriptions, beside=sse_routes)
    command.main(
        "conformance",
        "0.1.0",
        {
            "streamable-http": http.serve,
            "stdio": partial(serve_stdio, load),
            "sse": http.serve,
        },
        http.add_options,
        partial(add_tasks_file, "conformance"),
    )


if __name__ == "__main__":
    main()
