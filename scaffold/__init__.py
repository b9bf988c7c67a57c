"""Generate an MCP server project from a YAML spec and keep it in sync."""

__version__ = "0.1.0"
