"""Start the server: `expenses`, or `python -m expenses`."""

import argparse
from functools import partial
from typing import Any

from mcp.server import Server

from expenses._generated.auth import OAUTH
from expenses._generated.runtime import command, log_format
from expenses._generated.runtime.http import Http
from expenses._generated.runtime.shares import Shares
from expenses._generated.runtime.stdio import serve_stdio
from expenses._generated.runtime.task_store import add_tasks_file
from expenses._generated.settings import Settings


def load(options: argparse.Namespace) -> Server[Any]:
    """Import the handlers late: what they print must not reach standard output."""
    log_format.start(options)
    Settings.from_environment()  # What is missing is told before a handler misses it.
    from expenses._generated.server import create_server

    return create_server(options.call_time, options.threads, tasks_file=options.tasks)


def main() -> None:
    shares = Shares(calls=64, calls_per_minute=1200)
    http = Http(load, verifier=OAUTH.verifier, guard=OAUTH.guard, limit=shares.before)
    command.main(
        "expenses",
        "1.0.0",
        {"stdio": partial(serve_stdio, load), "streamable-http": http.serve},
        http.add_options,
        shares.add_options,
        partial(log_format.add_log_format, "json"),
        partial(add_tasks_file, "expenses"),
    )


if __name__ == "__main__":
    main()
