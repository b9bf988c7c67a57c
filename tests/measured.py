"""What a process takes."""

from __future__ import annotations

import os
from pathlib import Path


def memory_of(pid: int) -> int:
    """The resident memory of a process, in KiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def seconds_of(pid: int) -> float:
    """The processor time that a process has taken, in seconds: on a busy machine, a clock says little."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
