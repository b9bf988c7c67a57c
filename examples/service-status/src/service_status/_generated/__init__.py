# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this folder.
"""The protocol side of the server, which follows from the spec alone."""
