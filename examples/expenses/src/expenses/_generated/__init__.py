# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this folder.
"""The protocol side of the server: what follows from the spec alone."""
