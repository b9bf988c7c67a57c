"""Limits of time and memory that a process sets for itself before it runs untrusted code."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path


def limit(seconds: int, memory: int, file: int | None = None, grace: int = 0) -> None:
    """Limit the processor time of this process, and the bytes of its memory and of each file.

    After `seconds` it gets SIGXCPU, and is killed after `grace` more. Windows has no such limits.
    """
    if sys.platform == "win32":
        return
    import resource

    limits = {
        resource.RLIMIT_CPU: (seconds, seconds + grace),
        resource.RLIMIT_AS: (memory, memory),
        resource.RLIMIT_CORE: (0, 0),
    }
    if file is not None:
        limits[resource.RLIMIT_FSIZE] = (file, file)
    for one, values in limits.items():
        with contextlib.suppress(ValueError, OSError):  # the system's limit is lower
            resource.setrlimit(one, values)


def mapped() -> int:
    """Return the bytes of memory that this process has mapped; 0 if the system does not say."""
    status = Path("/proc/self/statm")
    if sys.platform == "win32" or not status.exists():
        return 0
    import resource

    return int(status.read_text().split()[0]) * resource.getpagesize()
