"""The server as it was before. What it still does is passed on to it."""

from math import ceil

from mcp.server.mcpserver import MCPServer

server = MCPServer("Reading list", version="0.9")


@server.tool()
def plan_reading(pages: int, pages_each_evening: int = 30) -> int:
    """Tell on how many evenings a book of so many pages is read."""
    return ceil(pages / pages_each_evening)


if __name__ == "__main__":
    server.run()
