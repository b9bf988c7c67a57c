"""A server that is started again whenever its code has changed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread

from scaffold.base.diagnostics import ScaffoldError
from scaffold.commands.dev.serving import Serving, serving
from scaffold.disk.records import LAST_SPEC
from scaffold.languages.registry import language
from scaffold.project.generate import traits_at
from scaffold.yaml.source import read

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

_POLL = 0.05
_ANSWER_WITHIN = 60.0
_SHOWN = 3
"""How many files are named as the reason of a restart."""

_INSPECTOR = "@modelcontextprotocol/inspector@latest"  # npx prefers an old one in a parent folder

Tell = Callable[[str], None]
"""A function that prints a line for the user."""


class Development:
    """The server of the project at `root`, one process after the other.

    Over HTTP it runs until its code changes. Over stdio there is no client, so it is started,
    asked for its lists and stopped. With `inspected`, the Inspector is opened for it. Without a
    `port`, it listens on that of the spec, or the next that is free.
    """

    def __init__(
        self, root: Path, tell: Tell, inspected: bool = False, port: int | None = None
    ) -> None:
        self.root, self.tell = root, tell
        self.is_inspected, self.port = inspected, port
        self.traits = traits_at(root)
        self.language = language(self.traits.language)
        self.made_from: dict[Path, tuple[int, int]] = {}
        self.run: _Run | None = None
        self.inspector: Child | None = None

    def code(self) -> Iterator[Path]:
        """Yield the files that the server is restarted for: modules, dependencies, variables, skills."""
        for watched in self.traits.watches:
            yield self.root / watched
            for folder, _, names in os.walk(self.root / watched):
                for name in names:
                    if self.language.is_source(name) or name == "catalog.json":
                        yield Path(folder, name)
        with suppress(ScaffoldError):
            if isinstance(spec := read(self.root / LAST_SPEC).value, dict) and "skills" in spec:
                yield from (self.root / str(spec["skills"])).rglob("*")

    def update(self) -> None:
        """Restart the server if its code has changed. Raises ScaffoldError if that is impossible."""
        now = _stamps(self.code())
        if now == self.made_from:
            return
        served = serving(self.root)
        changed = dict(now.items() ^ self.made_from.items())
        self.made_from = now
        if self.run:
            paths = sorted(str(path.relative_to(self.root)) for path in changed)
            self.tell(f"restarting: {', '.join(paths[:_SHOWN])} changed")
            self.run.stop()
            self.run = None
        if served.is_web:
            wanted = served.server.port
            served = served.on(self.port) if self.port else served.on_free_port()
            if served.server.port != (self.port or wanted):
                self.tell(f"port {wanted} is in use, so this is on {served.server.port}")
            self.run = _Run(served, self.root, self.tell)
        else:
            self.tell(_checked(served, self.root))
        if self.is_inspected:
            self.is_inspected = False
            self.inspector = _inspector(served, self.root)
            if self.inspector is None:
                self.tell("the Inspector needs Node.js: install it from https://nodejs.org")

    def close(self) -> None:
        """Stop the server and the Inspector."""
        try:
            if self.run:
                self.run.stop()
        finally:
            if self.inspector:
                self.inspector.stop()


def _checked(served: Serving, root: Path) -> str:
    """Start a server over stdio and return what it lists, or that it does not."""
    from scaffold.sources.server import from_process

    try:
        source = from_process(served.command, _ANSWER_WITHIN, folder=root, env=served.env)
    except ScaffoldError as error:
        return f"{served.server.name}: {error.diagnostics[0].message}; waiting for a change"
    entries = [entry for listed in source.listed.values() for entry in listed]
    names = ", ".join(str(entry["name"]) for entry in entries)
    return f"{served.server.name}: starts, and lists {names or 'nothing'}"


class Child:
    """A process in a group of its own: Ctrl-C reaches us alone, and `stop` ends the whole group.

    It never reads from our terminal, and its output goes where ours goes. If we are killed, so is
    the group, except on Windows.
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

    def stop(self) -> None:
        """Ask it to end, then end it and all that it started."""
        process = self.process
        try:
            if process.poll() is None:
                process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
        finally:
            if sys.platform == "win32":
                process.kill()
            else:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if process.stdin:
                process.stdin.close()


class _Run:
    """A process of a server over HTTP. A thread reports when it is up, and if it ends by itself."""

    def __init__(self, served: Serving, root: Path, tell: Tell) -> None:
        self.serving, self.tell = served, tell
        self.is_stopping = False
        self.child = Child(served.command, root, served.env)
        self.follower = Thread(target=self._follow, daemon=True)
        self.follower.start()

    def stop(self) -> None:
        self.is_stopping = True
        self.child.stop()
        self.follower.join()

    def _follow(self) -> None:
        process = self.child.process
        while process.poll() is None and not self.serving.is_up():
            time.sleep(_POLL)
        if process.poll() is None and not self.is_stopping:
            self.tell(self.serving.address)
        ended = process.wait()
        if not self.is_stopping:
            self.tell(
                f"{self.serving.server.name}: ended with exit code {ended}; waiting for a change"
            )


def _inspector(served: Serving, root: Path) -> Child | None:
    """Start the official Inspector for a server, or return None if `npx` is not installed."""
    npx = shutil.which("npx")
    if npx is None:
        return None
    target = served.command
    if served.is_web:
        transport = served.transport.removeprefix("streamable-")
        target = ("--transport", transport, "--server-url", served.url)
    return Child((npx, "-y", _INSPECTOR, *target), root, served.env)


def _stamps(files: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Return values that change when a file is saved; missing files have none."""
    stamps = {}
    for file in files:
        with suppress(OSError):
            status = file.stat()
            stamps[file] = (status.st_mtime_ns, status.st_size)
    return stamps
