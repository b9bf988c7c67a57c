# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Try the server as a client does: its lists, every example, the error paths.

`python client.py` starts the server and tries it, with made-up variables.
`python client.py call TOOL name=value` makes one call, with `--real` on your data.

For more, use the official Inspector:
`npx @modelcontextprotocol/inspector uv run reading-list`
"""

from argparse import ArgumentParser

from reading_list._generated import client


def main() -> None:
    parser = ArgumentParser(description="Try the server as a client does.")
    parser.add_argument("call", nargs="?", help="make one call")
    parser.add_argument("tool", nargs="?", metavar="TOOL")
    parser.add_argument("values", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--real", action="store_true", help="with your variables")
    parser.add_argument("--legacy", action="store_true", help="as before 2026-07-28")
    client.main(parser)


if __name__ == "__main__":
    main()
