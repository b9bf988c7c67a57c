"""The image, and what else surrounds a project: its commands run here without a daemon."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from uv import find_uv_bin

from tests.generated import Generated, free_port, generate, listening, of_the_sdk
from tests.project_tools import passed, run
from tests.waiting import WITHIN

TOOL = {"name": "echo", "description": "Echo.", "inputSchema": {"type": "object"}}
PORT = free_port()
SPEC = {
    "name": "shipped",
    "version": "1.2.3",
    "title": "Shipped $HOME",
    "transports": ["streamable-http"],
    "http": {"port": PORT},
    "skills": "./skills",
    "tools": [TOOL],
}


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return generate(SPEC, tmp_path_factory.mktemp("shipped") / "project")


def docker(project: Generated) -> str:
    return (project.folder / "Dockerfile").read_text()


@of_the_sdk
@pytest.mark.slow
def test_the_image_installs_the_locked_versions(shipped: Generated, tmp_path: Path) -> None:
    uv = find_uv_bin()
    commands = re.findall(r"^RUN uv (.+)$", docker(shipped), re.MULTILINE)
    assert len(commands) == 2
    env = {"UV_PROJECT_ENVIRONMENT": str(tmp_path / "venv")}
    passed(shipped.folder, uv, "lock", "--quiet", **env)
    build = tmp_path / "build"
    build.mkdir()
    copied = re.findall(r"^COPY (?!--)(.+) \S+$", docker(shipped), re.MULTILINE)
    for name in " ".join(copied).split():
        source = shipped.folder / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, build / name)
    for command in commands:
        passed(build, uv, *command.split(), **env)
    shutil.rmtree(build)
    server = tmp_path / "venv" / "bin" / "shipped"
    assert passed(tmp_path, str(server), "--version") == "shipped 1.2.3\n"
    assert [*(tmp_path / "venv").rglob("_generated/skills/shipped/SKILL.md")]

    manifest = shipped.folder / "pyproject.toml"
    manifest.write_text(
        manifest.read_text().replace('    "jsonschema-rs', '    "attrs",\n    "jsonschema-rs')
    )
    outdated = run(shipped.folder, uv, *commands[0].split(), **env)
    assert outdated.returncode != 0
    assert "needs to be updated" in outdated.stdout


def test_the_health_check_of_the_image_fails_without_a_server(
    shipped: Generated, tmp_path: Path
) -> None:
    folded = docker(shipped).replace("\\\n", "")
    found = re.search(r"^HEALTHCHECK CMD (?:/venv/bin/python|python3) (.+)$", folded, re.MULTILINE)
    assert found
    check = ["/bin/sh", "-c", f"{sys.executable} {found[1]}"]
    assert subprocess.run(check, capture_output=True, check=False).returncode != 0
    with listening(shipped, "streamable-http", tmp_path / "log", port=str(PORT)):
        assert subprocess.run(check, check=False, timeout=WITHIN).returncode == 0


def test_the_image_has_a_numeric_user_and_labels(shipped: Generated) -> None:
    text = docker(shipped)
    assert re.search(r"^USER \d+$", text, re.MULTILINE)
    assert 'LABEL org.opencontainers.image.title="Shipped \\$HOME"\n' in text
    assert 'LABEL org.opencontainers.image.version="1.2.3"\n' in text


def test_a_server_on_standard_streams_has_no_health_check(tmp_path: Path) -> None:
    spec = {"name": "plain", "version": "1", "tools": [TOOL]}
    assert "HEALTHCHECK" not in docker(generate(spec, tmp_path / "plain"))


def test_git_ignores_saved_copies(shipped: Generated) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=shipped.folder, check=True)
    ignored = ["README.md.orig", "src/shipped/tools/echo.py.orig", ".env", "x/__pycache__/a.pyc"]
    for name, expected in [*((name, 0) for name in ignored), (".env.example", 1), ("uv.lock", 1)]:
        ran = subprocess.run(["git", "check-ignore", "-q", name], cwd=shipped.folder, check=False)
        assert ran.returncode == expected, name


def test_the_workflow_ends_in_time(shipped: Generated) -> None:
    workflow = yaml.safe_load((shipped.folder / ".github/workflows/ci.yml").read_text())
    assert all(job["timeout-minutes"] <= 30 for job in workflow["jobs"].values())
