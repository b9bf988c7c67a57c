"""Find out whether an application runs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath, PureWindowsPath


def running(names: Iterable[str]) -> str | None:
    """Return the first of these programs that runs, or None; also if nobody can tell.

    Only Windows ignores case: elsewhere, `Claude` is another program than `claude`.
    """
    fold = str.casefold if sys.platform == "win32" else str
    wanted = {fold(name): name for name in names}
    programs = map(fold, _programs()) if wanted else ()
    return next((wanted[name] for name in programs if name in wanted), None)


def _programs() -> Iterator[str]:
    """Yield the names of the programs that run, without `.exe`."""
    if sys.platform == "linux":
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                yield (process / "comm").read_text("utf-8", "replace").strip()
            except OSError:  # it has ended, or is another user's
                continue
            yield PurePath(words[0].decode(errors="replace")).name
        return
    windows = sys.platform == "win32"
    command = ["tasklist", "/fo", "csv", "/nh"] if windows else ["ps", "-axo", "comm="]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)  # noqa: S603 - fixed words
    except (OSError, subprocess.SubprocessError):
        return
    for line in done.stdout.splitlines():
        if windows:
            yield PureWindowsPath(line.split(",")[0].strip('"')).stem
        else:
            yield PurePath(line.strip()).name
