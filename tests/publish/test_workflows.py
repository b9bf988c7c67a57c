"""The workflows of a project give nobody else's text, token or action a chance."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scaffold.commands.new import new
from tests.publish.conftest import SPEC

ZIZMOR = Path(sys.executable).with_name("zizmor")


@pytest.mark.parametrize(
    "spec",
    [SPEC, SPEC.replace("io.github.Example", "com.example").replace("pypi, mcpb, oci", "pypi")],
    ids=["all packages", "a domain"],
)
def test_zizmor_accepts_the_workflows(tmp_path: Path, spec: str) -> None:
    (tmp_path / "spec.yaml").write_text(spec, encoding="utf-8")
    new(tmp_path / "spec.yaml", tmp_path / "library")
    folder = tmp_path / "library/.github/workflows"
    assert {file.name for file in folder.iterdir()} == {"ci.yml", "publish-mcp.yml"}
    command = [str(ZIZMOR), "--offline", "--no-progress", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    planted = folder / "ci.yml"
    planted.write_text(
        planted.read_text("utf-8").replace(
            "uv sync", "echo ${{ github.event.pull_request.title }}"
        ),
        encoding="utf-8",
    )
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "template-injection" in done.stdout


def test_the_server_is_registered_last_and_with_the_hash_of_its_bundle(whole: Path) -> None:
    text = (whole / ".github/workflows/publish-mcp.yml").read_text("utf-8")
    steps = [line.strip() for line in text.splitlines() if line.strip().startswith("- run:")]
    assert steps[-1].startswith("- run: ./mcp-publisher publish dist/server.json")
    order = [
        "publish --check --bundle",
        "uv publish",
        "docker push",
        "gh release create",
        "mcp-publisher publish",
    ]
    places = [next(n for n, step in enumerate(steps) if words in step) for words in order]
    assert places == sorted(places)
