# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""A line in the log for each call of a tool: which, how it ended, how long it took."""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from time import perf_counter

logger = logging.getLogger("acme.calls")


@contextmanager
def observed(tool: str) -> Generator[None]:
    """Take the time of a call; one that raises, or is cut short, has failed."""
    outcome, started = "failed", perf_counter()
    try:
        yield
        outcome = "ok"
    finally:
        seconds = perf_counter() - started
        logger.info("tool=%s outcome=%s seconds=%.3f", tool, outcome, seconds)
