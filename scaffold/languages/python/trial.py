"""Run a generated project's own checks: ruff, mypy, pytest, and a start of the server."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

_CHECKS = {
    "ruff check": ("ruff", "check"),
    "ruff format --check": ("ruff", "format", "--check"),
    "mypy": ("mypy",),
    "pytest": ("pytest", "-q"),
    "client.py": ("client.py",),
}
_SECONDS = 600


def complaints(
    project: Path, required: Iterable[str], python: Path | None, cache: Path
) -> Iterator[tuple[str, str]]:
    """Yield each check of a project that fails, with the line of its output that says why.

    `required` are the variables that its server needs. `python` has the dependencies of the server;
    without it, `uv` installs them. `cache` is a folder for mypy.
    """
    environment = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "PYTHONPATH")}
    environment |= dict.fromkeys(required, "1")
    environment |= {"MYPY_CACHE_DIR": str(cache), "RUFF_NO_CACHE": "true", "NO_COLOR": "1"}
    if python:
        environment |= {"PYTHONPATH": "src", "MYPYPATH": "src"}
    for name, words in _CHECKS.items():
        is_file = words[0].endswith(".py")
        if python:
            command = [str(python), *(() if is_file else ("-m",)), *words]
        else:
            command = ["uv", "run", "--quiet", *(("python",) if is_file else ()), *words]
        if said := _complaint(command, project, environment):
            yield name, said


def _complaint(command: list[str], project: Path, environment: dict[str, str]) -> str | None:
    try:
        ended = subprocess.run(  # noqa: S603 - the author of a pack tries what it makes
            command,
            cwd=project,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        return f"`{command[0]}` is not installed"
    except subprocess.TimeoutExpired:
        return f"it took more than {_SECONDS} seconds"
    if ended.returncode == 0:
        return None
    lines = [line.strip() for line in ended.stdout.decode(errors="replace").splitlines()]
    lines = [line for line in lines if line] or [f"exit code {ended.returncode}"]
    telling = (line for line in lines if "error" in line.lower() or line.startswith("FAILED"))
    return next(telling, lines[0])
