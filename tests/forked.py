"""Generated servers as copies of one process that has imported the SDK: they start at once."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import IO, cast

from tests.generated import Generated
from tests.nursery import Running, nursery

IMPORTED = (
    *("runpy", "jsonschema_rs", "mcp.server", "mcp.server.caching", "mcp.server.context"),
    *("mcp.shared.exceptions", "anyio._backends._asyncio", "mcp.shared.message"),
    *("mcp.shared.uri_template", "mcp_types.version"),
)
"""What servers import."""

SERVE = """
import runpy, sys
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


class Process:
    """A server: what clients use of `subprocess.Popen`."""

    def __init__(self, running: Running, stdin: int, stdout: int, stderr: int) -> None:
        self.stdin: IO[bytes] = os.fdopen(stdin, "wb")
        self.stdout: IO[bytes] = os.fdopen(stdout, "rb")
        self.stderr: IO[bytes] = os.fdopen(stderr, "rb")
        self.pid, self.wait, self.kill = running.pid, running.wait, running.kill
        self._running = running

    @property
    def returncode(self) -> int | None:
        return self._running.returncode


@dataclass(frozen=True)
class Forked(Generated):
    """A generated project whose servers come from a nursery."""

    def spawn(self, *arguments: str, **env: str) -> subprocess.Popen[bytes]:
        (theirs_in, stdin), (stdout, theirs_out), (stderr, theirs_err) = (
            os.pipe() for _ in range(3)
        )
        theirs = (theirs_in, theirs_out, theirs_err)
        running = nursery(*IMPORTED).start(
            SERVE,
            [self.package, *arguments],
            theirs,
            self.folder,
            {**os.environ, **self.env, **env},
            [str(self.source.parent)],
        )
        for descriptor in theirs:
            os.close(descriptor)
        process = Process(running, stdin, stdout, stderr)
        return cast("subprocess.Popen[bytes]", process)  # as far as clients use it


def forked(project: Generated) -> Generated:
    """The same project, with servers that start at once where they would import the SDK first."""
    return Forked(project.folder, project.package, project.env)
