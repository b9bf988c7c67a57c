"""The `clients` commands, run in a project beside an empty home."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from scaffold.cli.main import main

Run = Callable[..., Result]


def settle(project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Create the folders of a project and a home without clients, in which commands then run.

    On the PATH there is a `uv`, and no client.
    """
    programs = home.parent / "programs"
    for folder in (home, project, programs):
        folder.mkdir()
    (programs / "uv").symlink_to(shutil.which("true") or "/bin/true")
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.chdir(project)


def run_clients(*arguments: str, code: int = 0) -> Result:
    """Run a `clients` command, and check its exit code."""
    result = CliRunner().invoke(main, ["clients", *arguments])
    assert result.exit_code == code, result.output
    return result
