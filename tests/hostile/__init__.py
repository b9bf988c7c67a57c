"""Hostile specs through the whole tool: from the command line to the running server."""

import os

LONG = "MCP_SCAFFOLD_HOSTILE" in os.environ
"""Whether to try twenty times as much."""
