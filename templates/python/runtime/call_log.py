"""A line of the log for each call of a tool: who called what, and how it ended.

It has no arguments, results, texts of errors or tokens, and no names of tools that the
server does not have.
"""

import asyncio
import json
import logging
import re
import time
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, CallToolResult
from pydantic import ValidationError

from .handlers import Interruption, ToolError, meant_in
from .tools import Request, Tools

logger = logging.getLogger(__name__)
logger.setLevel(logging.INFO)  # Whatever else is logged.

TRACE = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-")
LONGEST_ID = 128


@dataclass
class Call:
    """A call while it runs; of a task, until that is over."""

    about: dict[str, Any]
    begun: float = field(default_factory=time.monotonic)
    is_let_in: bool = False
    """Whether its handler was called."""
    error: BaseException | None = None
    result: CallToolResult | None = None
    waits_for: set[str] = field(default_factory=lambda: {"answer"})

    def end(self, part: str) -> None:
        """Write the line, once the call is answered and its task over."""
        self.waits_for.discard(part)
        if not self.waits_for:
            fields = {**self.outcome(), **self.about}
            fields["ms"] = round((time.monotonic() - self.begun) * 1000)
            text = " ".join(f"{key}={json.dumps(of)}" for key, of in fields.items())
            logger.info("call %s", text, extra={"fields": fields})

    def outcome(self) -> dict[str, str]:
        if self.error is None:
            if not (self.result and self.result.is_error):
                return {"outcome": "ok"}
            return {"outcome": "error" if self.is_let_in else "refused"}
        match meant_in(self.error) or self.error:
            case Interruption():
                return {"outcome": "asked"}
            case asyncio.CancelledError():
                return {"outcome": "cancelled"}
            case MCPError() as error:
                return {"outcome": "refused", "error": str(error.error.code)}
            case ValidationError() if not self.is_let_in:  # The SDK's, of parameters.
                return {"outcome": "refused", "error": str(INVALID_PARAMS)}
            case ToolError() as error:
                return {"outcome": "error", "error": type(error).__name__}
            case _:
                pass
        content = self.result.content if self.result else ()
        told = "".join(getattr(block, "text", "") for block in content)
        return {"outcome": "internal", "reference": told.rpartition(" ")[2]}


current: ContextVar[Call] = ContextVar("current")


class LoggedTools(Tools):
    """Tools whose calls are logged by the middleware `log`."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        around = self.around

        def observed(*call: Any) -> AbstractContextManager[Any]:
            return noting(around(*call))

        self.around = observed

    async def log(self, ctx: Request, call_next: CallNext) -> HandlerResult:
        """Log a call with whatever refuses it on its way to the handler."""
        if ctx.method != "tools/call":
            return await call_next(ctx)
        call = Call(who_calls_what(ctx, self.tools))
        current.set(call)
        try:
            return await call_next(ctx)
        except BaseException as error:
            call.error = call.error or error
            raise
        finally:
            call.end("answer")

    async def call(self, ctx: Request, params: CallToolRequestParams) -> CallToolResult:
        call = current.get()
        call.waits_for.add("result")
        try:
            call.result = await super().call(ctx, params)
            return call.result
        finally:
            call.end("result")


@contextmanager
def noting(around: AbstractContextManager[Any]) -> Generator[Any]:
    """Note what a handler raises, before it is masked."""
    call = current.get()
    call.is_let_in = True
    try:
        with around as entered:
            yield entered
    except BaseException as error:
        call.error = error
        raise


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
