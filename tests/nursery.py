"""Python programs as copies of one process that has imported what all of them import.

A program that starts takes most of its time for imports. Here they are done once, so that hundreds
of programs can be run; each still is a process of its own, with its own streams and environment.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Thread
from typing import IO

NURSERY = """
import atexit, contextlib, gc, importlib, json, os, select, signal, socket, sys

codes = []


def leave():
    # After all else at a program's end. Python would now take all modules apart, and so copy the
    # memory that it shares with this process: most of the time of a short program.
    if codes:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):
            return
        os._exit(codes[0])


atexit.register(leave)
channel = socket.socket(fileno=int(sys.argv[1]))
for module in sys.argv[2:]:
    importlib.import_module(module)
gc.collect()
gc.freeze()  # or a copy would write to all that it shares with this process
programs = {}
while True:
    ready, _, _ = select.select([channel, *programs], [], [])
    for ended in programs.keys() & ready:
        program, status = programs.pop(ended)
        code = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
        with contextlib.suppress(BrokenPipeError):  # Nobody waits for it any more.
            os.write(status, b"%d\\n" % code)
        os.close(status)
        os.close(ended)
    if channel not in ready:
        continue
    order, descriptors, _, _ = socket.recv_fds(channel, 1 << 20, 4)
    if not order:
        sys.exit()
    *streams, status = descriptors
    program = os.fork()
    if program == 0:
        break
    for stream in streams:
        os.close(stream)
    os.write(status, b"%d\\n" % program)
    programs[os.pidfd_open(program)] = program, status
channel.close()
for descriptor in [status, *programs, *(status for _, status in programs.values())]:
    os.close(descriptor)
for number, stream in enumerate(streams):
    os.dup2(stream, number)
    os.close(stream)
order = json.loads(order)
sys.stdin, sys.stdout = open(0), open(1, "w")
sys.stderr = open(2, "w", buffering=1, errors="backslashreplace")
os.chdir(order["folder"])
os.environ.clear()
os.environ.update(order["env"])
sys.path[:] = [*order["path"], *(path for path in sys.path if path)]
sys.argv = order["arguments"]
try:
    exec(order["code"], {"__name__": "__main__"})
    codes.append(0)
except SystemExit as end:
    if end.code is None or isinstance(end.code, int):
        codes.append((end.code or 0) & 255)
    raise
"""


@dataclass
class Running:
    """A program that was started: what of `subprocess.Popen` is needed here."""

    pid: int
    status: IO[bytes]
    returncode: int | None = None
    stdin: IO[bytes] | None = None
    stdout: IO[bytes] | None = None
    stderr: IO[bytes] | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self.status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("the program", timeout or 0)
            with self.status:
                self.returncode = _number(self.status)
        return self.returncode

    def communicate(self, input: bytes, timeout: float) -> tuple[bytes, bytes]:
        """Give it its whole input; return both outputs once it has ended.

        Raises subprocess.TimeoutExpired, also if a program that it has started keeps an output.
        """
        assert self.stdout
        assert self.stderr
        outputs: dict[IO[bytes], bytes] = {}

        def read(stream: IO[bytes]) -> None:
            with stream:
                outputs[stream] = stream.read()

        threads = [
            Thread(target=read, args=[self.stdout], daemon=True),
            Thread(target=read, args=[self.stderr], daemon=True),
            Thread(target=self._feed, args=[input], daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            self.wait(timeout)
            for thread in threads:
                thread.join(timeout)
            if len(outputs) < 2:
                raise subprocess.TimeoutExpired("the program", timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        return outputs[self.stdout], outputs[self.stderr]

    def _feed(self, input: bytes) -> None:
        assert self.stdin
        with suppress(BrokenPipeError), self.stdin:
            self.stdin.write(input)

    def poll(self) -> int | None:
        """Return how it ended, if it has."""
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):  # It has ended just now.
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@dataclass(frozen=True)
class Nursery:
    """The process that is copied."""

    channel: socket.socket

    def start(
        self,
        code: str,
        arguments: Sequence[str],
        streams: Sequence[int],
        folder: Path,
        env: Mapping[str, str],
        path: Sequence[str] = (),
    ) -> Running:
        """Start a program, as `python -c code` would, with three standard streams.

        `path` is where it finds modules first.
        """
        order = {
            "code": code,
            "arguments": arguments,
            "folder": str(folder),
            "env": dict(env),
            "path": path,
        }
        sys.audit("nursery.start", arguments[0], arguments)
        reads, writes = os.pipe()
        socket.send_fds(self.channel, [json.dumps(order).encode()], [*streams, writes])
        os.close(writes)
        status = open(reads, "rb", buffering=0)  # noqa: SIM115 - closed at the program's end
        return Running(_number(status), status)


def _number(status: IO[bytes]) -> int:
    line = status.readline()
    assert line, "the process that is copied has ended"
    return int(line)


@cache
def nursery(*modules: str) -> Nursery:
    """The process that has imported these modules; it ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", NURSERY, str(theirs.fileno()), *modules],
            pass_fds=[theirs.fileno()],
        )

    def end() -> None:
        ours.close()
        process.wait(timeout=10)

    atexit.register(end)
    return Nursery(ours)
