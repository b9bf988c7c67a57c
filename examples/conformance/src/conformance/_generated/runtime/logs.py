"""Messages to the client's log. For those to whoever runs the server, use `logging`."""

import json
from dataclasses import dataclass
from functools import partialmethod
from typing import Any, get_args

import mcp_types as types
from mcp.server import Server
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic_core import to_jsonable_python

from .connections import connection_of
from .handlers import BaseContext, Request, Shared

LEVELS: tuple[types.LoggingLevel, ...] = get_args(types.LoggingLevel)


@dataclass(frozen=True)
class Log:
    """The client's log. A message is text or JSON, sent if the client listens at its level."""

    request: Request

    async def send(
        self, level: types.LoggingLevel, data: Any, logger: str | None = None
    ) -> None:
        request = self.request
        if request.protocol_version in MODERN_PROTOCOL_VERSIONS:
            least = (request.meta or {}).get(types.LOG_LEVEL_META_KEY)
        else:
            least = connection_of(request).log_level
        if least not in LEVELS or LEVELS.index(level) < LEVELS.index(least):
            return
        # `?` stands for what UTF-8 cannot encode, such as odd names of files.
        text = json.dumps(to_jsonable_python(data), ensure_ascii=False)
        params = types.LoggingMessageNotificationParams(
            level=level, data=json.loads(text.encode(errors="replace")), logger=logger
        )
        message = types.LoggingMessageNotification(params=params)
        await request.session.send_notification(message, request.request_id)

    debug = partialmethod(send, "debug")
    info = partialmethod(send, "info")
    warning = partialmethod(send, "warning")
    error = partialmethod(send, "error")


@dataclass(frozen=True)
class LoggingContext(BaseContext[Shared]):
    """A context with the client's log: `await context.log.info("…")`."""

    @property
    def log(self) -> Log:
        return Log(self.request)


def attach(server: Server[Any]) -> None:
    """Let clients from before 2026-07-28 set their level."""
    params = types.SetLevelRequestParams
    server.add_request_handler("logging/setLevel", params, set_level)


async def set_level(
    ctx: Request, params: types.SetLevelRequestParams
) -> types.EmptyResult:
    connection_of(ctx).log_level = params.level
    return types.EmptyResult()
