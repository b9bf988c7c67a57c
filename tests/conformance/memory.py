"""How much memory a process takes."""

from __future__ import annotations

from pathlib import Path


def memory_of(pid: int) -> int:
    """The resident memory of a process, in KiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])
