"""Clients: how each MCP client wants to be told of a server."""
