# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Try the server as a client does: its lists, every example, the error paths.

`python client.py` starts the server and tries it, with made-up variables.
`python client.py --url http://127.0.0.1:8000/mcp` tries a running server.
`python client.py call TOOL name=value` makes one call, with `--real` on your data.

For more, use the official Inspector:
`npx @modelcontextprotocol/inspector uv run weather`
"""

import asyncio
import os
import sys
from argparse import ArgumentError, ArgumentParser, Namespace
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, TextIO, cast

from weather._generated import client
from weather._generated.runtime.command import SettingsError
from weather._generated.runtime.schema import Schema
from weather._generated.runtime.trial import trial

TOOLS: dict[str, Any] = {tool["name"]: tool for tool in client.CATALOG["tools"]}


def main() -> None:
    parser = ArgumentParser(description="Try the server as a client does.")
    parser.add_argument("call", nargs="?", help="make one call")
    parser.add_argument("tool", nargs="?", metavar="TOOL")
    parser.add_argument("values", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--url", help="a running server")
    parser.add_argument("--real", action="store_true", help="with your variables")
    parser.add_argument("--legacy", action="store_true", help="as before 2026-07-28")
    options = parser.parse_intermixed_args()
    if options.call and (options.call != "call" or not options.tool):
        parser.error("write `call TOOL NAME=VALUE`")
    if options.tool and options.tool not in TOOLS:
        parser.error(f"there is no tool `{options.tool}`; there are {', '.join(TOOLS)}")
    # Not all terminals have all letters.
    output = os.fdopen(os.dup(1), "w", 1, sys.stdout.encoding, "replace")
    os.dup2(2, 1)  # What handlers print is no result.
    try:
        sys.exit(asyncio.run(run(options, output)))
    except ArgumentError as error:
        parser.error(str(error))
    except (ConnectionError, SettingsError) as error:
        sys.exit(f"FAIL {error}")


async def run(options: Namespace, output: TextIO) -> int:
    """Make one call or all checks, and return the exit code."""
    with trial(options.real) as tried:
        async with reached(options, tried.variables) as server:
            server.tried = tried
            if options.call:
                arguments = arguments_in(
                    options.values, TOOLS[options.tool]["inputSchema"]
                )
                outcome = await server.call(options.tool, **arguments)
                if outcome.failed and tried.made_up:
                    print(
                        f"made up: {tried.made_up}; --real uses yours", file=sys.stderr
                    )
                print(outcome.text, file=output)
                return int(outcome.failed)
            print(f"ok   speaks {server.version}", file=output)
            ends = set[str]()
            for number in range(len(client.CHECKS)):
                end, text = await server.check(number)
                print(f"{end:4} {text}", file=output)
                ends.add(end)
            return int("FAIL" in ends)


def reached(
    options: Namespace, variables: Mapping[str, str]
) -> AbstractAsyncContextManager[client.Connection]:
    """Connect to the server."""
    mode = "legacy" if options.legacy else "auto"
    if options.url:
        return client.connected(client.running(options.url), mode)
    if options.call:  # In this process, a server starts in half the time.
        os.environ.update(variables)
        from weather._generated.server import create_server

        return client.connected(create_server(), mode)
    return client.started(mode, variables)


def arguments_in(words: list[str], schema: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments in words such as `day=14`, or in a JSON object.

    A value is JSON, or a text if only that fits the schema. A list can have a word for
    each item.
    """
    if words and isinstance(whole := client.parsed(words[0]), dict):
        return cast("dict[str, Any]", whole)
    schema = {**schema, "required": []}
    arguments: dict[str, Any] = {}
    for word in words:
        name, is_pair, text = word.partition("=")
        if not is_pair:
            raise ArgumentError(None, f"{word} is neither NAME=VALUE nor a JSON object")
        json = client.parsed(text)
        values = (json, text, [json], [text])
        fitting = (v for v in values if not Schema(schema).faults({name: v}))
        value = next(fitting, json)
        if name in arguments and isinstance(value, list):
            value = arguments[name] + value
        arguments[name] = value
    return arguments


if __name__ == "__main__":
    main()
