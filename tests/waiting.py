"""Waiting for what is to happen, on a machine that may have much else to do."""

from __future__ import annotations

import time
from collections.abc import Callable

WITHIN = 90.0
"""Seconds after which what has not happened never will."""


def wait_until(is_true: Callable[[], object], explanation: Callable[[], object] = str) -> None:
    """Wait until something is true; where it never is, the test fails with what `told` says."""
    deadline = time.monotonic() + WITHIN
    while not is_true():
        assert time.monotonic() < deadline, explanation()
        time.sleep(0.02)
