# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""A line in the log for each call of a tool: which, how it ended, how long it took."""

import logging
from time import perf_counter
from typing import Any

from .runtime.handlers import BaseContext, Calls

logger = logging.getLogger("acme.calls")


class ObservedCalls(Calls):
    """Runs handlers, and takes the time."""

    async def run(self, *given: Any, context: BaseContext[Any], **more: Any) -> Any:
        """Run a handler; one that raises, or is cut short, has failed."""
        tool = (context.request.params or {}).get("name")
        outcome, started = "failed", perf_counter()
        try:
            result = await super().run(*given, context=context, **more)
            outcome = "ok"
            return result
        finally:
            seconds = perf_counter() - started
            logger.info("tool=%s outcome=%s seconds=%.3f", tool, outcome, seconds)
