"""`mcp-scaffold new` where it cannot do what it is asked: exit 2, a reason, nothing written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SPEC = """\
name: greeter
version: "1"
tools:
  - name: greet
    description: Greet someone.
    inputSchema: {type: object}
"""


def new(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, as a user does."""
    return subprocess.run(
        [sys.executable, "-c", "from scaffold.cli.main import main; main()", "new", *arguments],
        cwd=folder,
        env=os.environ | {"NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def everything(folder: Path) -> dict[str, str]:
    """Each path below a folder, hidden ones too, with what is in it."""
    return {
        str(path.relative_to(folder)): path.read_text(errors="replace") if path.is_file() else ""
        for path in folder.rglob("*")
    }


def assert_refused(folder: Path, arguments: list[str], *told: str) -> None:
    before = everything(folder)
    ended = new(folder, *arguments)
    assert ended.returncode == 2, ended
    for part in told:
        assert part in ended.stderr
    assert ended.stdout == ""
    assert "Traceback" not in ended.stderr
    assert everything(folder) == before


@pytest.mark.parametrize("spec", ["missing.yaml", "folder.yaml", "binary.yaml"])
def test_a_spec_that_cannot_be_read_is_told(tmp_path: Path, spec: str) -> None:
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "binary.yaml").write_bytes(b"name: \xff\xfe")
    assert_refused(tmp_path, [spec], spec)


def test_every_fault_of_a_spec_is_told_with_its_place_and_a_hint(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(
        SPEC.replace("description", "desciption").replace("type: object", "type: objct")
    )
    assert_refused(
        tmp_path,
        ["spec.yaml", "greeter"],
        "spec.yaml:5:5: error[unknown-key]",
        "did you mean `description`?",
        "spec.yaml:6:25: error[",
        "2 errors",
    )


@pytest.mark.parametrize("dest", ["full", "file"])
def test_a_place_that_is_taken_is_left_alone(tmp_path: Path, dest: str) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    assert_refused(tmp_path, ["spec.yaml", dest], dest, "hint: ")


def test_the_default_place_is_the_name_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    (tmp_path / "greeter").mkdir()  # An empty folder is free.
    ended = new(tmp_path, "spec.yaml")
    assert (ended.returncode, ended.stdout) == (0, "")
    assert (tmp_path / "greeter" / "mcp.yaml").read_text() == SPEC
    assert_refused(tmp_path, ["spec.yaml"], "greeter", "regenerate")


def test_a_wrong_command_line_is_told_with_the_usage(tmp_path: Path) -> None:
    assert_refused(tmp_path, ["--colour", "spec.yaml"], "Usage: ")
