"""The server of MCP's architecture walk-through, for real."""
