"""What a process takes."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def memory_of(pid: int) -> int:
    """The resident memory of a process, in KiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


@contextmanager
def peak_memory() -> Iterator[list[int]]:
    """Yield a list: afterwards, its only item is what this process has taken more, in KiB."""
    taken = [0]
    reset = Path("/proc/self/clear_refs")
    if not reset.exists():  # Only Linux can say it.
        yield taken
        return
    gc.collect()
    reset.write_text("5")
    before = memory_of(os.getpid())
    yield taken
    status = Path("/proc/self/status").read_text()
    taken[0] = int(status.split("VmHWM:")[1].split()[0]) - before


def seconds_of(pid: int) -> float:
    """The processor time that a process has taken, in seconds: on a busy machine, a clock says little."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
