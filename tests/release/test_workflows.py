"""The workflows of this repository: their steps are run by a shell, with stand-ins for the host."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from scaffold import __version__
from tests import workflow
from tests.generated import REPOSITORY
from tests.project_tools import clean_environment
from tests.repository import git

pytestmark = pytest.mark.usefixtures("starts_programs")

BIN = Path(sys.executable).parent
WORKFLOWS = REPOSITORY / ".github/workflows"
TAG = f"v{__version__}"
CONTEXT = {"github.repository": "acme/mcp-scaffold", "github.token": "a token"}

RECORDER = """#!/bin/sh
echo "$(basename "$0") $*" >> "$CALLS"
"""
"""Write down how a program is called, and do nothing."""

UV = f"""#!/bin/sh
[ "$1" != publish ] && exec '{BIN}/uv' "$@"
echo "uv $*" >> "$CALLS"
"""


class Host:
    """The machines of a host: programs, environment and actions, whose effects are files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calls = folder / "calls"
        programs = folder / "bin"
        programs.mkdir(parents=True)
        for name, text in {"gh": RECORDER, "uv": UV}.items():
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        environment = clean_environment()
        self.env = {
            **environment,
            "PATH": os.pathsep.join([str(programs), str(BIN), environment["PATH"]]),
            "CALLS": str(self.calls),
            "GITHUB_REF_NAME": TAG,
        }
        self.actions: dict[str, workflow.Action] = {
            "actions/attest-build-provenance": self.attest,
            "actions/checkout": self.check_out,
            "actions/deploy-pages": self.ignore,
            "actions/download-artifact": self.download,
            "actions/setup-python": self.ignore,
            "actions/upload-artifact": self.upload,
            "actions/upload-pages-artifact": self.upload,
            "astral-sh/setup-uv": self.ignore,
        }

    def check_out(self, folder: Path, inputs: Mapping[str, str]) -> None:
        assert inputs["persist-credentials"] == "False"
        files = git(
            REPOSITORY, "ls-files", "--cached", "--others", "--exclude-standard"
        ).splitlines()
        for name in files:
            if (REPOSITORY / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(REPOSITORY / name, folder / name)

    def ignore(self, folder: Path, inputs: Mapping[str, str]) -> None:
        """Do nothing: the programs are there."""

    def upload(self, folder: Path, inputs: Mapping[str, str]) -> None:
        shutil.copytree(folder / inputs["path"], self.folder / "artifact")

    def download(self, folder: Path, inputs: Mapping[str, str]) -> None:
        shutil.copytree(self.folder / "artifact", folder / inputs["path"])

    def attest(self, folder: Path, inputs: Mapping[str, str]) -> None:
        for file in sorted(folder.glob(inputs["subject-path"])):
            self.note(f"attest {file.name}")

    def note(self, line: str) -> None:
        with self.calls.open("a") as calls:
            calls.write(f"{line}\n")


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path / "host")


def zizmor(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(BIN / "zizmor"), "--offline", "--no-progress", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_zizmor_accepts_the_workflows_and_rejects_a_faulty_one(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / ".github", tmp_path / ".github")
    shutil.copy(REPOSITORY / "action.yml", tmp_path)
    completed = zizmor(tmp_path)
    assert completed.returncode == 0, completed.stdout
    ci = tmp_path / ".github/workflows/ci.yml"
    ci.write_text(ci.read_text("utf-8").replace(".ci/run", "echo ${{ github.head_ref }}"), "utf-8")
    assert "template-injection" in zizmor(tmp_path).stdout


def test_every_action_is_pinned_to_one_commit_everywhere() -> None:
    pins: dict[str, str] = {}
    for path in [*WORKFLOWS.glob("*.yml"), REPOSITORY / "action.yml"]:
        for name, pin in re.findall(r"uses: ([\w/-]+)@(.*)", path.read_text("utf-8")):
            assert re.fullmatch(r"[0-9a-f]{40}  # v\d+\.\d+\.\d+", pin), name
            assert pins.setdefault(name, pin) == pin


def test_ci_runs_all_checks_the_short_tests_and_zizmor(host: Host, tmp_path: Path) -> None:
    ci = workflow.read(WORKFLOWS / "ci.yml")
    python = ci["jobs"]["all"]["strategy"]["matrix"]["python"]
    assert python == ["3.11", "3.14"]

    def check_out(folder: Path, inputs: Mapping[str, str]) -> None:
        """Check out with stand-ins for the two scripts, one of which runs this test."""
        host.check_out(folder, inputs)
        for name in (".ci/run", ".ci/test", ".ci/demo"):
            assert os.access(folder / name, os.X_OK)
            (folder / name).write_text(RECORDER)

    for name in ("apt-get", "uvx"):
        (host.folder / "bin" / name).write_text(RECORDER)
        (host.folder / "bin" / name).chmod(0o755)
    actions = {**host.actions, "actions/checkout": check_out}
    finished = workflow.run(ci, tmp_path / "jobs", host.env, actions, CONTEXT)
    assert {completed.returncode for _, completed in finished} == {0}
    packages = "ca-certificates git python3 python3-pip python3-venv"
    assert host.calls.read_text().splitlines() == [
        "run ",
        "test ",
        "apt-get update",
        f"apt-get install --yes {packages}",
        "demo ",
        "test --all tests/docs/test_readme.py tests/server/test_running.py tests/server/test_web.py",
        "uvx zizmor>=1.30,<2 --offline .github action.yml",
    ]


@pytest.mark.slow
def test_a_release_is_built_tried_attested_published_and_announced(
    host: Host, tmp_path: Path
) -> None:
    release = workflow.read(WORKFLOWS / "release.yml")
    finished = workflow.run(release, tmp_path / "jobs", host.env, host.actions, CONTEXT)
    assert not finished[-1][1].returncode, finished[-1][1].stderr
    packages = [
        f"mcp_scaffold-{__version__}-py3-none-any.whl",
        f"mcp_scaffold-{__version__}.tar.gz",
    ]
    paths = " ".join(f"dist/{name}" for name in packages)
    assert host.calls.read_text().splitlines() == [
        *(f"attest {name}" for name in packages),
        f"uv publish --trusted-publishing always {paths}",
        f"gh release create {TAG} --verify-tag --title {TAG} --notes-file dist/changes.md {paths}",
    ]
    tried = finished[0][1].stdout
    for name in packages:
        assert f"== {name}\n" in tried
    assert tried.count("ok   search_blog, a question") == len(packages)
    changes = (host.folder / "artifact/changes.md").read_text("utf-8")
    assert changes.strip()
    assert not re.search(r"^## ", changes, re.MULTILINE)


@pytest.mark.parametrize("tag", ["v9.9.9", __version__])
def test_a_tag_that_differs_from_the_version_is_not_released(
    host: Host, tmp_path: Path, tag: str
) -> None:
    release = workflow.read(WORKFLOWS / "release.yml")
    env = {**host.env, "GITHUB_REF_NAME": tag}
    finished = workflow.run(release, tmp_path / "jobs", env, host.actions, CONTEXT)
    [(_, completed)] = finished
    assert completed.returncode == 1
    assert completed.stderr == (f"tag {tag} is not version {__version__} of scaffold/__init__.py\n")
    assert not host.calls.exists()
