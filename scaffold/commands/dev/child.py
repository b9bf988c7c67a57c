"""A process that ends with ours, and never reads from our terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

GRACE = 5.0
"""Seconds that a process has to end by itself."""

_KILLED_WITH_US = """
exec 3<&0 </dev/null
( (read -r _ <&3; kill -KILL 0) & )
exec "$@" 3<&-
"""
"""Becomes a command, after starting a process that kills its group when our end of the pipe closes.

That happens even if we are killed. The process in the background is no child of the command.
"""


class Child:
    """A process in a group of its own: Ctrl-C reaches us alone, and `stop` ends the whole group.

    Its output goes where ours goes. If we are killed, so is the group, except on Windows.
    """

    def __init__(self, command: Sequence[str], folder: Path, env: Mapping[str, str]) -> None:
        is_posix = sys.platform != "win32"
        self.process = subprocess.Popen(  # noqa: S603 - the project's own command
            ["/bin/sh", "-c", _KILLED_WITH_US, "sh", *command] if is_posix else command,
            cwd=folder,
            env=env,
            stdin=subprocess.PIPE if is_posix else subprocess.DEVNULL,
            start_new_session=True,
        )

    @property
    def code(self) -> int | None:
        """The exit code, or None while it runs."""
        return self.process.poll()

    def wait(self) -> int:
        """Wait until it ends, and return its exit code."""
        return self.process.wait()

    def stop(self) -> None:
        """Ask it to end, then end it and all that it started."""
        try:
            if self.code is None:
                self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(GRACE)
        finally:
            self._kill()

    def _kill(self) -> None:
        if sys.platform == "win32":
            self.process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdin:
            self.process.stdin.close()
