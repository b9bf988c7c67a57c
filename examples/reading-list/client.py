# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Try the server as a client does: its lists, every example, the error paths.

`python client.py` starts the server and tries it, with made-up variables.
`python client.py call TOOL name=value` makes one call, with `--real` on your data.

For more, use the official Inspector:
`npx @modelcontextprotocol/inspector uv run reading-list`
"""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

from reading_list._generated.client import connected, inside, started
from reading_list._generated.runtime.checks import UsageError, log_file
from reading_list._generated.runtime.trial import trial


def main() -> None:
    parser = argparse.ArgumentParser(description="Try the server as a client does.")
    parser.add_argument(
        "words", nargs="*", metavar="call TOOL NAME=VALUE", help="one call"
    )
    parser.add_argument("--real", action="store_true", help="with your variables")
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
    with trial(options.real) as tried, log_file() as log:
        server: Any = (
            inside(tried.variables) if options.words else started(tried.variables, log)
        )
        async with connected(server, mode, tried) as checks:
            checks.log = Path(log.name)
            failed = await checks.show(options.words)
            if failed and options.words and tried.made_up:
                print(f"made up: {tried.made_up}; --real uses yours", file=sys.stderr)
            return failed


if __name__ == "__main__":
    main()
