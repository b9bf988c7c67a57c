"""Pytest in a process forked from one that has imported what all tests need: most of a short run."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

WARM = (
    *("pytest", "hypothesis", "hypothesis.stateful", "xdist", "anyio", "yaml", "jinja2", "click"),
    *("pydantic", "jsonschema_rs", "mcp", "mcp.client.stdio", "mcp.client.sse", "mcp_types"),
    *("mcp.client.streamable_http", "mcp.server", "watchfiles", "filelock", "packaging.version"),
)

_context = get_context("forkserver")
_context.set_forkserver_preload([*WARM])


def run_pytest(
    checkout: Path, environment: Mapping[str, str], arguments: Sequence[str], within: float
) -> tuple[int | None, str]:
    """Run pytest in a checkout; return its exit code (None: it took too long) and its output.

    Whatever the tests have started ends with them: a fault may have kept a server running.
    """
    output = checkout.with_name("output.txt")
    process = _context.Process(
        target=_work, args=(str(checkout), dict(environment), list(arguments), str(output))
    )
    process.start()
    process.join(within)
    code = process.exitcode
    assert process.pid
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.join()
    return code, output.read_text("utf-8", "replace") if output.exists() else ""


def _work(checkout: str, environment: dict[str, str], arguments: list[str], output: str) -> None:
    os.setsid()
    os.chdir(checkout)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None
    sys.dont_write_bytecode = False
    sys.pycache_prefix = environment["PYTHONPYCACHEPREFIX"]
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tests", "scaffold")]:
        del sys.modules[name]
    sys.path.insert(0, checkout)
    nothing = os.open(os.devnull, os.O_RDONLY)
    told = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for number, to in enumerate((nothing, told, told)):
        os.dup2(to, number)

    import pytest

    # Pytest warns of plugins that were imported before it could change their assertions.
    quiet = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
    cache = ("-o", f"cache_dir={environment['PYTHONPYCACHEPREFIX']}/pytest")
    code = pytest.main(["-q", *cache, *quiet, *arguments])
    sys.stdout.flush()
    os._exit(code)
