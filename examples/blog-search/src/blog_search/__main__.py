"""Start the server: `blog-search`, or `python -m blog_search`."""

import argparse
from functools import partial
from typing import Any

from mcp.server import Server

from blog_search._generated.runtime import command
from blog_search._generated.runtime.bearer import OneToken
from blog_search._generated.runtime.http import Http
from blog_search._generated.runtime.sse import sse_routes
from blog_search._generated.runtime.stdio import serve_stdio
from blog_search._generated.settings import Settings


def load(options: argparse.Namespace) -> Server[Any]:
    """Import the handlers late: what they print must not reach standard output."""
    Settings.from_environment()  # What is missing is told before a handler misses it.
    from blog_search._generated.server import create_server

    return create_server(options.call_time, options.threads)


def main() -> None:
    http = Http(
        load,
        stateless=True,
        verifier=lambda: OneToken.from_environment("BLOG_SEARCH_TOKEN"),
        beside=sse_routes,
    )
    command.main(
        "blog-search",
        "0.1.0",
        {
            "stdio": partial(serve_stdio, load),
            "streamable-http": http.serve,
            "sse": http.serve,
        },
        http.add_options,
    )


if __name__ == "__main__":
    main()
