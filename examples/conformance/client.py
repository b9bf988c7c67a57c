# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Try the server as a client does: its lists, every example, the error paths.

`python client.py` starts the server and tries it.
`python client.py --url http://127.0.0.1:8000/mcp` (or `http://127.0.0.1:8000/sse`) tries a running server.
`python client.py call TOOL name=value` makes one call.

For more, use the official Inspector:
`npx @modelcontextprotocol/inspector -- uv run conformance --transport stdio`
"""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

from conformance._generated.client import connected, inside, running, started
from conformance._generated.runtime.checks import UsageError, log_file


def main() -> None:
    parser = argparse.ArgumentParser(description="Try the server as a client does.")
    parser.add_argument(
        "words", nargs="*", metavar="call TOOL NAME=VALUE", help="one call"
    )
    parser.add_argument("--url", help="a running server")
    parser.add_argument("--legacy", action="store_true", help="as before 2026-07-28")
    options = parser.parse_intermixed_args()
    try:
        sys.exit(asyncio.run(run(options)))
    except UsageError as error:
        parser.error(str(error))
    except ConnectionError as error:
        sys.exit(f"FAIL {error}")


async def run(options: argparse.Namespace) -> int:
    mode = "legacy" if options.legacy else "auto"
    with log_file() as log:
        server: Any = (
            running(options.url)
            if options.url
            else inside()
            if options.words
            else started(log=log)
        )
        async with connected(server, mode) as checks:
            checks.log = Path(log.name)
            return await checks.show(options.words)


if __name__ == "__main__":
    main()
