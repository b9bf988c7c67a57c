"""A terminal for a command, with a person who types."""

from __future__ import annotations

import os
import pty
import select
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path


class Terminal:
    """A command that runs in a terminal of its own; `screen` is all that it has printed."""

    def __init__(self, command: Sequence[str], folder: Path, env: Mapping[str, str]) -> None:
        self.screen, self.seen = "", 0
        pid, self.keyboard = pty.fork()
        if pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored in what runs in the background
            os.chdir(folder)
            os.execvpe(command[0], [*command], dict(env))
        self.pid = pid

    def shows(self, words: str, within: float = 60.0) -> None:
        """Wait until the screen shows these words, after those that were waited for before."""
        deadline, more = time.monotonic() + within, True
        while words not in self.screen[self.seen :]:
            assert more, self.screen
            assert time.monotonic() < deadline, self.screen
            more = self._read(0.1)
        self.seen = self.screen.index(words, self.seen) + len(words)

    def types(self, text: str) -> None:
        """Type on the keyboard; `\\x03` is Ctrl-C."""
        os.write(self.keyboard, text.encode())

    def ends(self, within: float = 60.0) -> int:
        """Wait until the command ends, and return its exit code."""
        deadline = time.monotonic() + within
        while self._read(0.1):
            assert time.monotonic() < deadline, self.screen
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def _read(self, seconds: float) -> bool:
        """Read what there is; return whether there can be more."""
        if not select.select([self.keyboard], [], [], seconds)[0]:
            return True
        try:
            text = os.read(self.keyboard, 4096)
        except OSError:  # Linux has no other way to say that the last program has closed it
            return False
        self.screen += text.decode(errors="replace").replace("\r\n", "\n")
        return bool(text)


@contextmanager
def terminal(
    command: Sequence[str], folder: Path, env: Mapping[str, str] | None = None
) -> Iterator[Terminal]:
    """Run a command in a terminal, and close the terminal at the end, which ends the command."""
    running = Terminal(command, folder, os.environ if env is None else env)
    try:
        yield running
    finally:
        os.close(running.keyboard)
        if running.pid:
            os.waitpid(running.pid, 0)
