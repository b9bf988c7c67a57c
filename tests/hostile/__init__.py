"""Hostile specs through the whole tool: from the command line to the running server."""
