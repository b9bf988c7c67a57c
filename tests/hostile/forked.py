"""Generated servers as copies of one process that has imported what all of them import.

A server that starts takes most of its time for imports. Here they are done once, so that hundreds
of servers can be tried; each still is a process of its own, spoken to over its standard streams.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, cast

from tests.generated import Generated

NURSERY = """
import json, os, runpy, signal, socket, sys
import jsonschema_rs, mcp.server, mcp.server.caching, mcp.server.context, mcp.shared.exceptions
import anyio._backends._asyncio, mcp.shared.message, mcp.shared.uri_template, mcp_types.version

channel = socket.socket(fileno=int(sys.argv[1]))
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    order, descriptors, _, _ = socket.recv_fds(channel, 1 << 20, 4)
    if not order:
        sys.exit()
    if os.fork() == 0:
        break
    for descriptor in descriptors:
        os.close(descriptor)
channel.close()
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
order = json.loads(order)
*streams, status = descriptors
if server := os.fork():
    for stream in streams:
        os.close(stream)
    os.write(status, b"%d\\n" % server)
    os.write(status, b"%d\\n" % os.waitstatus_to_exitcode(os.waitpid(server, 0)[1]))
    os._exit(0)
os.close(status)
for number, stream in enumerate(streams):
    os.dup2(stream, number)
    os.close(stream)
sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")
os.chdir(order["folder"])
os.environ.clear()
os.environ.update(order["env"])
sys.path[:] = [order["source"], *(path for path in sys.path if path)]
sys.argv = [order["package"], *order["arguments"]]
runpy.run_module(order["package"], run_name="__main__", alter_sys=True)
"""


class Process:
    """A server that was copied: what clients use of `subprocess.Popen`."""

    def __init__(self, stdin: int, stdout: int, stderr: int, status: int) -> None:
        self.stdin: IO[bytes] = os.fdopen(stdin, "wb")
        self.stdout: IO[bytes] = os.fdopen(stdout, "rb")
        self.stderr: IO[bytes] = os.fdopen(stderr, "rb")
        self._status = os.fdopen(status, "rb")
        self.pid = int(self._status.readline())
        self.returncode: int | None = None

    def wait(self, timeout: float) -> int:
        if not select.select([self._status], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("the server", timeout)
        with self._status:
            self.returncode = int(self._status.readline())
        return self.returncode

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)


@dataclass(frozen=True)
class Nursery:
    """The process that is copied."""

    channel: socket.socket

    def start(self, project: Generated, *arguments: str) -> Process:
        """Start the server of a project."""
        order = {
            "folder": str(project.folder),
            "source": str(project.source.parent),
            "package": project.package,
            "arguments": arguments,
            "env": {**os.environ, **project.env},
        }
        ours, theirs = [], []
        for number in range(4):
            reads, writes = os.pipe()
            ours.append(reads if number else writes)
            theirs.append(writes if number else reads)
        socket.send_fds(self.channel, [json.dumps(order).encode()], theirs)
        for descriptor in theirs:
            os.close(descriptor)
        return Process(*ours)


@dataclass(frozen=True)
class Forked(Generated):
    """A generated project whose servers come from a nursery."""

    nursery: Nursery | None = None

    def spawn(self, *arguments: str, **env: str) -> subprocess.Popen[bytes]:
        assert self.nursery
        assert not env
        process = self.nursery.start(self, *arguments)
        return cast("subprocess.Popen[bytes]", process)  # as far as clients use it


@contextmanager
def nursery() -> Iterator[Nursery]:
    """Run a nursery until the block ends."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-c", NURSERY, str(theirs.fileno())], pass_fds=[theirs.fileno()]
            )
        try:
            yield Nursery(ours)
        finally:
            ours.shutdown(socket.SHUT_RDWR)
            process.wait(timeout=10)
