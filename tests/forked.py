"""Generated servers as copies of one process that has imported the SDK: they start at once."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, cast

from tests.nursery import nursery

IMPORTED = (
    *("runpy", "jsonschema_rs", "mcp", "mcp.server", "mcp.server.caching", "mcp.server.context"),
    *("mcp.server.sse", "mcp.server.streamable_http_manager", "mcp.server.elicitation"),
    *("mcp.server.auth.middleware.bearer_auth", "mcp.server.auth.routes", "mcp.shared.exceptions"),
    *("mcp.shared.message", "mcp.shared.uri_template", "mcp_types.version", "httpx2"),
    *("anyio._backends._asyncio", "uvicorn", "uvicorn.lifespan.off", "uvicorn.loops.auto"),
    *("uvicorn.protocols.http.auto", "starlette.applications", "starlette.middleware"),
)
"""What servers import."""

RUN = """
import runpy, sys
if sys.argv[0].endswith(".py"):
    runpy.run_path(sys.argv[0], run_name="__main__")
else:
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


def start(
    program: str,
    arguments: Sequence[str],
    folder: Path,
    env: Mapping[str, str],
    output: IO[bytes] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a server by its package, or a script; its streams are pipes, or there is no input and all goes to `output`."""
    pipes: list[IO[bytes]] = []
    if output is None:
        (stdin, ours_in), (ours_out, stdout), (ours_err, stderr) = (os.pipe() for _ in range(3))
        pipes = [os.fdopen(ours_in, "wb"), os.fdopen(ours_out, "rb"), os.fdopen(ours_err, "rb")]
        theirs = [stdin, stdout, stderr]
    else:
        theirs = [os.open(os.devnull, os.O_RDONLY), *(os.dup(output.fileno()) for _ in range(2))]
    path = [folder for folder in env.get("PYTHONPATH", "").split(os.pathsep) if folder]
    process = nursery(*IMPORTED).start(RUN, [program, *arguments], theirs, folder, env, path)
    if pipes:
        process.stdin, process.stdout, process.stderr = pipes
    for descriptor in theirs:
        os.close(descriptor)
    return cast("subprocess.Popen[bytes]", process)  # as far as tests use it
