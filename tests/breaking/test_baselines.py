"""A revision is read without running what its repository configures; the rest is in `cases/breaking`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.command import Ended, run
from tests.repository import Repository

TOOL = {"name": "search", "description": "Search.", "inputSchema": {"type": "object"}}
FETCH = {"name": "fetch", "description": "Fetch.", "inputSchema": {"type": "object"}}


def spec(*tools: Mapping[str, Any], version: str = "1.0.0", **more: Any) -> str:
    return json.dumps({"name": "demo", "version": version, "tools": tools, **more})


def against_main(folder: Path, **env: str) -> tuple[Ended, Any]:
    """Compare the spec in a folder with the branch `main`; how that ends, and the report."""
    command = ("breaking", "mcp.yaml", "--against", "git:main", "--format", "json")
    ended = run(*command, cwd=folder, env={**os.environ, **env})
    return ended, json.loads(ended.out)


@pytest.fixture
def repository(starts_programs: None, tmp_path: Path) -> Repository:
    """A repository whose branch `main` has two tools, and whose work tree has one."""
    created = Repository(tmp_path / "repository")
    created.tag("v1.0.0", {"mcp.yaml": spec(TOOL, FETCH)})
    created.write({"mcp.yaml": spec(TOOL, version="2.0.0")})
    return created


def test_programs_configured_in_the_repository_are_not_run(
    repository: Repository, tmp_path: Path
) -> None:
    ran, program = tmp_path / "ran", tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\ncat\n")
    program.chmod(0o755)
    repository.write({".gitattributes": "* filter=x diff=x\n"})
    (repository.folder / ".git/hooks/post-checkout").write_text(program.read_text())
    for key in (
        *("filter.x.smudge", "diff.x.textconv", "diff.external", "core.fsmonitor"),
        *("core.pager", "pager.rev-parse", "alias.ls-tree", "core.sshCommand"),
    ):
        repository.git("config", key, str(program))
    variables = {"GIT_EXTERNAL_DIFF": str(program), "GIT_PAGER": str(program)}
    _, report = against_main(repository.folder, **variables)
    assert [change["id"] for change in report["changes"]] == ["tool-removed"]
    assert not ran.exists()


def test_missing_git_objects_are_not_fetched(repository: Repository, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    repository.git("config", "extensions.partialClone", "origin")
    repository.git("config", "remote.origin.promisor", "true")
    repository.git("config", "remote.origin.url", f"ext::sh -c touch% {ran}")
    blob = repository.git("rev-parse", "main:mcp.yaml").strip()
    (repository.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    ended, report = against_main(repository.folder, GIT_ALLOW_PROTOCOL="ext")
    assert ended.code == 2
    assert [diagnostic["message"][:5] for diagnostic in report["diagnostics"]] == ["git: "]
    assert not ran.exists()


def test_without_git_the_hint_names_an_alternative(starts_programs: None, tmp_path: Path) -> None:
    (tmp_path / "mcp.yaml").write_text(spec(TOOL))
    ended, report = against_main(tmp_path, PATH=str(tmp_path))
    assert ended.code == 2
    [fault] = report["diagnostics"]
    assert fault["message"] == "git is not installed"
    assert fault["hint"] == "install git, or compare with a file or a project"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.usefixtures("starts_programs")
def test_what_a_command_writes_to_a_pipe_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "mcp.yaml").write_text(spec(TOOL, version="2.0.0"))
    (tmp_path / "old.yaml").write_text(spec(TOOL, FETCH))
    program = Path(sys.executable).with_name("mcp-scaffold")
    script = f"'{program}' breaking mcp.yaml --against <(sleep 0.2; cat old.yaml)"
    ended = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1, ended.stderr
    assert "error[tool-removed]" in ended.stderr
