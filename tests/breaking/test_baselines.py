"""What a spec is compared with: a revision, a spec, a tool list or a project, or an error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.command import Ended
from tests.teams.building import needs_git, run

TOOL = {"name": "search", "description": "Search.", "inputSchema": {"type": "object"}}
FETCH = {"name": "fetch", "description": "Fetch.", "inputSchema": {"type": "object"}}


def spec(*tools: Mapping[str, Any], version: str = "1.0.0", **more: Any) -> str:
    return json.dumps({"name": "demo", "version": version, "tools": tools, **more})


def against(
    baseline: object, cwd: Path, *options: str, env: Mapping[str, str] | None = None
) -> Ended:
    command = ("breaking", "mcp.yaml", "--against", baseline, "--format", "json", *options)
    return run(*command, cwd=cwd, env=env)


def ids(ended: Ended) -> set[str]:
    """The ids of what was found, after checking that the specs were compared."""
    assert ended.code in (0, 1), ended.out + ended.err
    return {change["id"] for change in json.loads(ended.out)["changes"]}


def faults(ended: Ended) -> list[str]:
    """The messages of a command that could not compare."""
    assert ended.code == 2, ended.out
    return [one["message"] for one in json.loads(ended.out)["diagnostics"]]


def git(folder: Path, *arguments: str) -> str:
    author = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    command = ["git", *author, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=clean, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture
def repository(starts_programs: None, tmp_path: Path) -> Path:
    """A repository whose branch `main` and tag `v1.0.0` have two tools, and whose work tree has one."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    (folder / "mcp.yaml").write_text(spec(TOOL, FETCH))
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "First")
    git(folder, "tag", "v1.0.0")
    (folder / "mcp.yaml").write_text(spec(TOOL, version="2.0.0"))
    return folder


@needs_git
class TestRevisions:
    def test_nothing_that_the_repository_configures_is_run(
        self, repository: Path, tmp_path: Path
    ) -> None:
        ran = tmp_path / "ran"
        program = tmp_path / "program"
        program.write_text(f"#!/bin/sh\ntouch '{ran}'\ncat\n")
        program.chmod(0o755)
        (repository / ".gitattributes").write_text("* filter=x diff=x\n")
        (repository / ".git/hooks/post-checkout").write_text(program.read_text())
        for key in ("filter.x.smudge", "diff.x.textconv", "diff.external", "core.fsmonitor"):
            git(repository, "config", key, str(program))
        for key in ("core.pager", "pager.rev-parse", "alias.ls-tree", "core.sshCommand"):
            git(repository, "config", key, str(program))
        env = {"GIT_EXTERNAL_DIFF": str(program), "GIT_PAGER": str(program)}
        assert ids(against("git:main", repository, env=env)) == {"tool-removed"}
        assert not ran.exists()

    def test_objects_that_are_not_there_are_not_fetched(
        self, repository: Path, tmp_path: Path
    ) -> None:
        ran = tmp_path / "ran"
        git(repository, "config", "extensions.partialClone", "origin")
        git(repository, "config", "remote.origin.promisor", "true")
        git(repository, "config", "remote.origin.url", f"ext::sh -c touch% {ran}")
        blob = git(repository, "rev-parse", "main:mcp.yaml").strip()
        (repository / ".git/objects" / blob[:2] / blob[2:]).unlink()
        [message] = faults(against("git:main", repository, env={"GIT_ALLOW_PROTOCOL": "ext"}))
        assert message.startswith("git: ")
        assert not ran.exists()


def test_without_git_there_is_a_way_on(starts_programs: None, tmp_path: Path) -> None:
    (tmp_path / "mcp.yaml").write_text(spec(TOOL))
    ended = against("git:main", tmp_path, env={"PATH": str(tmp_path)})
    assert faults(ended) == ["git is not installed"]
    hint = json.loads(ended.out)["diagnostics"][0]["hint"]
    assert hint == "install git, or compare with a file or a project"


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
