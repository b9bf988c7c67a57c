"""The files of a project, as one run finds them and another one leaves them."""

from __future__ import annotations

import os
from pathlib import Path

OF_RUNS = (".scaffold/run/lock", ".scaffold/run/.gitignore")
"""The files by which runs are kept apart."""


def contents(root: Path) -> dict[str, bytes]:
    """Every file, ours too, except those that runs are kept apart by; none if there is no project."""
    return {
        path: file.read_bytes()
        for file in sorted(root.rglob("*"))
        if file.is_file() and (path := file.relative_to(root).as_posix()) not in OF_RUNS
    }


def stamps(root: Path) -> dict[str, tuple[int, int]]:
    """What changes when a file is written, even with the same text."""
    statuses = {path: os.stat(root / path) for path in contents(root)}
    return {path: (status.st_ino, status.st_mtime_ns) for path, status in statuses.items()}
