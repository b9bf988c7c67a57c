"""Log messages for the client, which are deprecated since 2026-07-28: log to stderr instead."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partialmethod
from typing import Any

from .handlers import BaseContext, Shared
from .model import plain
from .protocol import INVALID_PARAMS, META, Feature, Json, MCPError, Request

# The levels, from the least to the most urgent.
LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert"]
LEVELS += ["emergency"]


class Logging(Feature):
    capabilities: Mapping[str, Json] = {"logging": {}}

    def __init__(self) -> None:
        self.legacy_methods = {"logging/setLevel": self.set_level}

    def set_level(self, request: Request) -> Json:
        level = request.params.get("level")
        if level not in LEVELS:
            raise MCPError(INVALID_PARAMS, f"level must be one of {', '.join(LEVELS)}")
        offered = request.server.client_capabilities
        request.server.client_capabilities = {**offered, "log": level}
        return {}


class Log:
    """The client's log. A message is text or JSON, sent if the client listens at its level."""

    def __init__(self, request: Request) -> None:
        self.request = request

    async def send(self, level: str, data: Any, logger: str | None = None) -> None:
        least = self.request.meta.get(META + "logLevel")
        if not self.request.is_modern:
            least = self.request.server.client_capabilities.get("log", "info")
        if least in LEVELS and LEVELS.index(level) >= LEVELS.index(least):
            source = {"logger": logger} if logger else {}
            params = {"level": level, **source, "data": plain(data)}
            self.request.notify("notifications/message", params)

    debug = partialmethod(send, "debug")
    info = partialmethod(send, "info")
    warning = partialmethod(send, "warning")
    error = partialmethod(send, "error")


class LoggingContext(BaseContext[Shared]):
    @property
    def log(self) -> Log:
        """The client's log: `await context.log.info("…")`."""
        return Log(self.request)
