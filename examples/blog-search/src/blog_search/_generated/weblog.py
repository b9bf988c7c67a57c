# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The log of a server over HTTP, without noise and secrets from its libraries."""

import asyncio
import logging
import re

from starlette.requests import ClientDisconnect

SESSION_ID = re.compile(r"\b([0-9a-f]{8})(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\b")
LIBRARIES = ("mcp.", "uvicorn.", "sse_starlette.", "asyncio")
# uvicorn's message for a stream that ends because the server stops.
CUT_OFF = "ASGI callable returned without completing response."
# Loggers whose warnings are about clients: each is logged once a minute at most.
FLOODED = ("uvicorn.error", "blog_search._generated.listener")


class WebLog(logging.Filter):
    """Drops records that are not worth logging; shortens session ids, which are secrets."""

    def __init__(self) -> None:
        super().__init__()
        self.warned: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        # Other records are not formatted here: if that failed, so would their logger.
        if not record.name.startswith((*LIBRARIES, *FLOODED)):
            return True
        message = record.getMessage()
        if record.name.startswith(LIBRARIES):
            error = record.exc_info[1] if record.exc_info else None
            is_cut_off = isinstance(error, asyncio.CancelledError | ClientDisconnect)
            if is_cut_off or message == CUT_OFF:
                return False  # One side has closed the connection.
            record.msg, record.args = SESSION_ID.sub(r"\1...", message), None
        if record.name in FLOODED and record.levelno == logging.WARNING:
            now = record.created
            while (oldest := next(iter(self.warned), None)) and now > self.warned[
                oldest
            ] + 60:
                del self.warned[oldest]
            if message in self.warned:
                return False
            self.warned[message] = now
        return True
