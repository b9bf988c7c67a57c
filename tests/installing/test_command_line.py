"""The commands print what they do, for people and for programs, and exit accordingly."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from scaffold.clients.installing.subject import lasting
from tests.installing.commands import Run, run_clients, settle

EXAMPLE = Path(__file__).parents[2] / "examples" / "calculator" / "mcp.yaml"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, and a project beside it in which the commands run."""
    home, project = tmp_path / "home", tmp_path / "calculator"
    settle(project, home, monkeypatch)
    shutil.copy(EXAMPLE, project / "mcp.yaml")
    return home


@pytest.fixture
def run(home: Path) -> Run:
    return run_clients


def test_no_program_of_our_own_environment_goes_into_an_entry(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = home.parent / "cache/archive-v0/x"
    (own / "bin").mkdir(parents=True)
    for name in ("uv", "python3"):
        (own / "bin" / name).symlink_to("/bin/true")
    monkeypatch.setattr(sys, "prefix", str(own))
    monkeypatch.setenv("PATH", f"{own}/bin:{os.environ['PATH']}")
    run("install", "--client", "cursor", "--scope", "user")
    assert "cache" not in (home / ".cursor/mcp.json").read_text()
    assert lasting("python3") == shutil.which("python3", path="/usr/bin:/bin")
