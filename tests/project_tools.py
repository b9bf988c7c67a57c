"""The tools of a project, run in it as its owner runs them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from ruff import find_ruff_bin

LIMIT = 900.0
"""Seconds after which a command hangs, on a machine that has much else to do."""

PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "anyio.pytest_plugin"}
"""What a project's pytest loads: what its owner has, and none of the plugins of these tests."""


def clean_environment(**more: str) -> dict[str, str]:
    """Return the environment without the variables of this repository's tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "UV_PROJECT_ENVIRONMENT"):
        kept.pop(name, None)
    return kept | more


def run(folder: Path, *command: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a project; `stdout` has its errors too.

    The command begins with the path of a program, or with a module, which the Python of these
    tests runs with the project's package on its path.
    """
    if not os.path.isabs(command[0]):
        command = (sys.executable, "-m", *command)
        env = {"PYTHONPATH": "src", "MYPYPATH": "src", **PLUGINS, **env}
    return subprocess.run(
        command,
        cwd=folder,
        env=clean_environment(**env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT,
        check=False,
    )


def failed(folder: Path, *command: str, **env: str) -> str:
    """Run a command in a project; return its output if it failed, else an empty text."""
    ended = run(folder, *command, **env)
    return f"{command} ended with {ended.returncode}:\n{ended.stdout}" if ended.returncode else ""


def passed(folder: Path, *command: str, **env: str) -> str:
    """Run a command in a project, assert that it succeeds, and return its output."""
    ended = run(folder, *command, **env)
    assert ended.returncode == 0, ended.stdout
    return ended.stdout


def ruff_findings(folder: Path, *options: str) -> str:
    """Return what `ruff check` and `ruff format --check` find, with the settings of each project."""
    commands = (("check",), ("format", "--check"))
    return "".join(
        failed(folder, find_ruff_bin(), *command, "--no-cache", *options, ".")
        for command in commands
    )


def mypy_findings_in_all(folder: Path, *options: str) -> str:
    """Return what one run of strict mypy finds in all projects of a folder.

    Modules of one run need different names: the scripts of a project are read under its own.
    """
    projects = [path.name for path in sorted(folder.iterdir()) if path.is_dir()]
    parts = [f"{name}/{part}" for name in projects for part in ("src", "tests")]
    for script in sorted(folder.glob("*/*.py")):
        parts.append(f"{script.parent.name}_{script.name}".replace("-", "_"))
        shutil.copy(script, folder / parts[-1])
    roots = os.pathsep.join(f"{name}/src" for name in projects)
    command = ("mypy", "--strict", *options, *parts)
    return failed(folder, *command, PYTHONPATH=roots, MYPYPATH=roots)
