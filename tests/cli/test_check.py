"""What `check` shows of the commands of a pack."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.command import run

SPEC = """
name: demo
version: "1"
tools: [{name: greet, description: Greet somebody., inputSchema: {type: object}}]
"""
PACK = """
contract = 4
checks = [
    { name = "format", run = "true" },
    { name = "lint", run = "true" },
    { name = "types", run = "true" },
    { name = "tests", run = "sh -c 'seq 100000 199999; false'" },
]
"""


@pytest.mark.usefixtures("starts_programs")
def test_the_end_of_a_long_output_is_shown(tmp_path: Path) -> None:
    spec, project = tmp_path / "demo.yaml", tmp_path / "demo"
    spec.write_text(SPEC)
    assert run("new", spec, project).code == 0
    (project / "templates").mkdir()
    (project / "templates/pack.toml").write_text(PACK)
    assert run("regenerate", project).code == 0
    without_uv = {**os.environ, "PATH": os.defpath}
    shown = run("check", project, env=without_uv).err
    [_, output] = shown.split("seq 100000 199999; false'\n")
    assert output.startswith("      … ")
    assert "\n      199999\n" in output
    assert len(output) < 50_000
