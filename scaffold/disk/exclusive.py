"""A lock that lets only one run at a time change a project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.records import RUN_LOCK
from scaffold.disk.tree import Tree, failure


@contextmanager
def exclusive(root: Path, patience: float = 30) -> Iterator[None]:
    """Lock the project during the block, waiting at most `patience` seconds for other runs.

    Blocks may be nested. The system releases the lock when the process ends. Raises ScaffoldError
    (`busy`) if another run does not finish in time.
    """
    from filelock import FileLock, Timeout  # imported late: only runs that write need it

    Tree(root).read(RUN_LOCK)  # refuses links
    file = root / RUN_LOCK
    hold = FileLock(file, is_singleton=True)
    try:
        if not file.parent.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            (file.parent / ".gitignore").write_text("*\n")
        hold.acquire(timeout=patience)
    except Timeout as error:
        raise ScaffoldError.of("busy", "another run is changing the project", root) from error
    except OSError as error:
        raise failure("cannot-write", file, error) from error
    try:
        yield
    finally:
        hold.release()
