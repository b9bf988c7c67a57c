"""`mcp-scaffold`, each run a process of its own: a copy of one that has imported all of it."""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import scaffold
from tests.nursery import nursery
from tests.programs import REFUSED, may_start_any

CODE = "from scaffold.cli.main import main; main(prog_name='mcp-scaffold')"
GUARD = f"""
import os, sys

def refuse(event, details):
    if event == "subprocess.Popen" and os.path.basename(details[0]) != "ruff":
        os.write(2, f"{REFUSED}{{details[0]}}\\n".encode())
        os._exit(70)

sys.addaudithook(refuse)
"""
"""What the command begins with in a test that must start no other programs."""


def dying(event: str, end: str) -> str:
    """What a command begins with that dies before such an audit event on a path with such an end."""
    return f"""
import os, sys

def die(event, details):
    if event == {event!r} and any(str(one).endswith({end!r}) for one in details[:2]):
        os._exit(9)

sys.addaudithook(die)
"""


IMPORTED = [module.name for module in pkgutil.walk_packages(scaffold.__path__, "scaffold.")]


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


def run(
    *arguments: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 120,
    before: str = "",
) -> Ended:
    """Run the command with nobody there to answer; `env` is its whole environment.

    Whatever it is given, it ends with a message and not with a traceback. `before` is code that its
    process runs first. Raises subprocess.TimeoutExpired.
    """
    with (
        open(os.devnull, "rb") as nothing,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        running = nursery(*IMPORTED).start(
            before + ("" if may_start_any() else GUARD) + CODE,
            ["mcp-scaffold", *map(str, arguments)],
            [nothing.fileno(), out.fileno(), err.fileno()],
            cwd or Path.cwd(),
            os.environ if env is None else env,
        )
        try:
            code = running.wait(timeout)
        except subprocess.TimeoutExpired:
            running.kill()
            raise
        out.seek(0)
        err.seek(0)
        ended = Ended(code, _text(out.read()), _text(err.read()))
        if REFUSED in ended.err:
            pytest.fail(ended.err)
        assert "Traceback" not in ended.err, ended.err
        return ended


def run_from(checkout: Path, *arguments: object) -> Ended:
    """Run the command of another checkout."""
    ended = subprocess.run(
        [sys.executable, "-P", "-c", CODE, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(checkout)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def _text(data: bytes) -> str:
    """As `subprocess` reads it."""
    return data.decode().replace("\r\n", "\n").replace("\r", "\n")
