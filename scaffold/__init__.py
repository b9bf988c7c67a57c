"""One YAML tool spec into a complete MCP server project, and the project kept in step with it."""

__version__ = "0.1.0"
