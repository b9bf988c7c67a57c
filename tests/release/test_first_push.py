"""The workflow of a new project passes at the first push, wherever the tool was installed from."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from uv import find_uv_bin

from scaffold import __version__
from tests import workflow
from tests.generated import REPOSITORY
from tests.project_tools import clean_environment
from tests.release.sources import repository, served
from tests.repository import Repository

pytestmark = [pytest.mark.usefixtures("starts_programs"), pytest.mark.slow]

BIN = Path(sys.executable).parent
UV = find_uv_bin()
REVIEWS = [
    "uv run mcp-scaffold check --format github",
    "uv run mcp-scaffold breaking --against git:HEAD^ --allow-new --format github",
]
DIRECT = ["uv run ruff format --check", "uv run ruff check", "uv run mypy", "uv run pytest"]


class Sources:
    """Where the tool can be installed from: a checkout, a wheel, an index and a git server."""

    def __init__(self, folder: Path, url: str) -> None:
        self.checkout = repository(folder / "mcp-scaffold")
        wheels = folder / "index/mcp-scaffold"
        run(folder, UV, "build", "--quiet", "--wheel", "--out-dir", str(wheels), str(REPOSITORY))
        [self.wheel] = wheels.glob("*.whl")
        self.index = f"{url}/index"
        self.git = f"mcp-scaffold @ git+{url}/mcp-scaffold/.git"


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sources]:
    folder = tmp_path_factory.mktemp("sources")
    with served(folder) as url:
        yield Sources(folder, url)


def environment(sources: Sources, folder: Path) -> dict[str, str]:
    """Return one where `uv` asks the local index first, and `uvx` starts the tools of these tests."""
    programs = folder / "bin"
    programs.mkdir()
    (programs / "uv").symlink_to(UV)
    (programs / "uvx").write_text(f'#!/bin/sh\nshift\nexec "{BIN}/zizmor" "$@"\n')
    (programs / "uvx").chmod(0o755)
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    return clean_environment(PATH=path, UV_INDEX=sources.index, NO_PROXY="127.0.0.1")


def run(folder: Path, *command: str, **env: str) -> str:
    completed = subprocess.run(
        command,
        cwd=folder,
        env=env or clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert completed.returncode == 0, completed.stdout
    return completed.stdout


@pytest.mark.parametrize("origin", ["index", "git", "wheel", "directory"])
def test_the_steps_of_its_workflow_pass(sources: Sources, tmp_path: Path, origin: str) -> None:
    commit = sources.checkout.git("rev-parse", "HEAD").strip()
    source, requirement = {
        "index": ("mcp-scaffold", f"mcp-scaffold=={__version__}"),
        "git": (sources.git, f"{sources.git}@{commit}"),
        "wheel": (str(sources.wheel), ""),
        "directory": (str(REPOSITORY), ""),
    }[origin]
    env = environment(sources, tmp_path)
    run(tmp_path, UV, "venv", "--quiet", "tool", **env)
    install = (UV, "pip", "install", "--quiet", "--python", "tool")
    run(tmp_path, *install, "--reinstall-package", "mcp-scaffold", source, **env)
    tool = str(tmp_path / "tool/bin/mcp-scaffold")
    run(tmp_path, tool, "init", "weather", "--starter", "minimal", **env)
    project = Repository(tmp_path / "weather")
    project.git("config", "user.name", "A")
    groups = tomllib.loads((project.folder / "pyproject.toml").read_text())["dependency-groups"]
    named = [line for line in groups["dev"] if line.startswith("mcp-scaffold")]
    assert named == ([requirement] if requirement else [])
    run(project.folder, "uv", "lock", "--quiet", **env)
    project.commit("All of it")
    project.commit("An edit")

    def check_out(folder: Path, inputs: object) -> None:
        folder.rmdir()
        project.git("clone", "--quiet", ".", str(folder))

    ci = workflow.read(project.folder / ".github/workflows/ci.yml")
    actions: dict[str, workflow.Action] = {
        "actions/checkout": check_out,
        "astral-sh/setup-uv": lambda folder, inputs: None,
    }
    finished = workflow.run(ci, tmp_path / "jobs", env, actions, {})
    failures = [(step, ended.stdout + ended.stderr) for step, ended in finished if ended.returncode]
    assert failures == []
    steps = ["uv sync", *(REVIEWS if requirement else DIRECT)]
    assert [step for step, _ in finished][:-1] == steps
    again = run(tmp_path / "jobs/check", tool, "regenerate", "--check", **env)
    assert again == "already up to date\n"
    assert run(tmp_path / "jobs/check", str(BIN / "mcp-scaffold"), "regenerate", "--check") == again
