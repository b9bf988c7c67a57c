"""Clients: how to configure each MCP client for a server."""
