"""The official Inspector of MCP servers, a program of Node.js."""

from __future__ import annotations

import shutil
from pathlib import Path

from scaffold.commands.dev.child import Child
from scaffold.commands.dev.serving import Serving
from scaffold.spec.format import Transport

_PACKAGE = "@modelcontextprotocol/inspector@latest"  # npx prefers an old one in a parent folder
_TRANSPORTS = {Transport.STREAMABLE_HTTP: "http", Transport.SSE: "sse"}


def inspector(serving: Serving, root: Path) -> Child | None:
    """Start the Inspector for a server, or return None if `npx` is not installed."""
    npx = shutil.which("npx")
    if npx is None:
        return None
    target = serving.command
    if serving.transport in _TRANSPORTS:
        target = ("--transport", _TRANSPORTS[serving.transport], "--server-url", serving.url)
    return Child((npx, "-y", _PACKAGE, *target), root, serving.env)
