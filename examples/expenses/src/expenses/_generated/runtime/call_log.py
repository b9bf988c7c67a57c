"""A line of the log for each call of a tool: who called what, and how it ended.

It has no arguments, results, texts of errors or tokens, and no names of tools that the
server does not have.
"""

import asyncio
import json
import logging
import re
import time
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, CallToolResult
from pydantic import ValidationError

from .handlers import InternalError, Interruption, Request, ToolError
from .tools import Tools

logger = logging.getLogger(__name__)
logger.setLevel(logging.INFO)  # Whatever else is logged.

TRACE = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-")
LONGEST_ID = 128


@dataclass
class Call:
    """A call, which ends with its last part: its answer or, of a task, its result."""

    about: dict[str, Any]
    begun: float = field(default_factory=time.monotonic)
    outcome: dict[str, str] = field(default_factory=lambda: {"outcome": "refused"})
    parts: int = 0

    def __enter__(self) -> None:
        self.parts += 1

    def __exit__(self, _: object, error: BaseException | None, trace: object) -> None:
        """Write the line, once the call is answered and its task over."""
        self.parts -= 1
        if error:
            self.outcome = outcome_of(error)
        if not self.parts:
            ms = round((time.monotonic() - self.begun) * 1000)
            fields = {**self.outcome, **self.about, "ms": ms}
            text = " ".join(f"{key}={json.dumps(of)}" for key, of in fields.items())
            logger.info("call %s", text, extra={"fields": fields})


current: ContextVar[Call] = ContextVar("current")


class LoggedTools(Tools):
    """Tools whose calls are logged by the middleware `log`."""

    async def log(self, ctx: Request, call_next: CallNext) -> HandlerResult:
        """Log a call with whatever refuses it on its way to the handler."""
        if ctx.method != "tools/call":
            return await call_next(ctx)
        call = Call(who_calls_what(ctx, self.tools))
        current.set(call)
        with call:
            return await call_next(ctx)

    async def call(self, ctx: Request, params: CallToolRequestParams) -> CallToolResult:
        with current.get():
            return await super().call(ctx, params)

    def result(self, ctx: Request, name: str, value: Any) -> CallToolResult:
        result = super().result(ctx, name, value)
        current.get().outcome = {"outcome": "error" if result.is_error else "ok"}
        return result

    def failed(self, error: ToolError) -> CallToolResult:
        current.get().outcome = outcome_of(error)
        return super().failed(error)


def outcome_of(error: BaseException) -> dict[str, str]:
    """Return how a call ended that raised an error, without the words of handlers."""
    match error:
        case Interruption():
            return {"outcome": "asked"}
        case asyncio.CancelledError():
            return {"outcome": "cancelled"}
        case MCPError():
            return {"outcome": "refused", "error": str(error.error.code)}
        case ValidationError():  # The SDK's, of parameters: others are masked.
            return {"outcome": "refused", "error": str(INVALID_PARAMS)}
        case InternalError():
            return {"outcome": "internal", "reference": str(error).rpartition(" ")[2]}
        case ToolError():
            return {"outcome": "error", "error": type(error).__name__}
        case _:
            return {"outcome": "internal"}


def who_calls_what(ctx: Request, tools: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of a call before it runs."""
    name, token = (ctx.params or {}).get("name"), get_access_token()
    parent = TRACE.match(str((ctx.meta or {}).get("traceparent")))
    known = {
        "tool": name if isinstance(name, str) and name in tools else None,
        "client": token.client_id if token else None,
        "subject": token.subject if token else None,
        "request": f"{ctx.request_id}"[:LONGEST_ID],
        "trace_id": parent[1] if parent else None,
    }
    return {key: text for key, text in known.items() if text is not None}
