"""After `new`, a project needs nothing but itself: no network, no git, no cache, no copier."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.generated import REPOSITORY
from tests.repository import Repository
from tests.teams.building import OWNERS, QUESTIONS, SPEC, TABLE, Create

ALONE = """
import socket, subprocess, sys

def refuse(*arguments, **options):
    raise AssertionError(f"not alone: {arguments}")

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("copier", "packaging", "plumbum", "questionary"):
            refuse("import", name)

sys.meta_path.insert(0, Missing())
socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse
popen = subprocess.Popen.__init__

def ruff_only(self, command, *arguments, **options):
    if "ruff" not in str(command[0]):
        refuse(command)
    popen(self, command, *arguments, **options)

subprocess.Popen.__init__ = ruff_only
from scaffold.cli.main import main
main(prog_name="mcp-scaffold")
"""


@pytest.fixture
def project(repository: Repository, create: Create, tmp_path: Path) -> Path:
    """A project with a pack from git whose repository is gone, and templates of its own."""
    repository.tag(
        "v1.0.0",
        {
            "copier.yml": QUESTIONS + "company: {type: str, default: Acme}\n",
            "pack.toml": TABLE + OWNERS,
            "OWNERS.j2.copier": "<< company >> {{ project.name }}\n",
        },
    )
    create(repository.folder, "--defaults")
    repository.folder.rename(tmp_path / "gone")
    (tmp_path / "p/templates").mkdir()
    (tmp_path / "p/templates/OWNERS.j2").write_text('{% extends "@acme/OWNERS.j2" %}')
    return tmp_path / "p"


def test_regenerate_needs_no_network_no_git_no_cache_and_no_copier(
    project: Path, tmp_path: Path
) -> None:
    (project / "mcp.yaml").write_text(SPEC.format(name="hello").replace("1.0.0", "1.1.0"))
    home = tmp_path / "home"
    home.mkdir()
    for options in ([], ["--check"], ["--diff"]):
        ended = subprocess.run(
            [sys.executable, "-P", "-c", ALONE, "regenerate", str(project), *options],
            env={"PATH": str(home), "HOME": str(home), "PYTHONPATH": str(REPOSITORY)}
            | {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ},
            cwd=home,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
    assert 'version = "1.1.0"' in (project / "pyproject.toml").read_text()
    assert list(home.iterdir()) == []
