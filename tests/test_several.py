"""One command over several projects: one report, one exit code, none stops the others."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.teams.building import SPEC, run

EDIT = ("Greets a person by name.", "Greets somebody.")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of one tool, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "spec.yaml").write_text(SPEC.format(name="hello"))
    assert run("new", "spec.yaml", "hello", cwd=folder).code == 0
    return folder / "hello"


def edit(project: Path) -> None:
    spec = project / "mcp.yaml"
    spec.write_text(spec.read_text().replace(*EDIT))


@pytest.mark.usefixtures("starts_programs")
def test_after_an_interrupt_each_project_is_as_it_was_or_whole(made: Path, tmp_path: Path) -> None:
    names = [f"s{number}" for number in range(24)]
    for name in names:
        shutil.copytree(made, tmp_path / name)
        edit(tmp_path / name)
    start = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
from scaffold.cli.main import run
run()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", start, "regenerate", *names],
        cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    end = time.monotonic() + 60
    while not any(is_whole(tmp_path / name) for name in names):
        assert time.monotonic() < end
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert "Traceback" not in said
    assert process.returncode == 130
    assert re.search(r"24 projects: .*\d left out", said)
    changed = {name for name in names if EDIT[1] in (tmp_path / name / "TOOLS.md").read_text()}
    assert 0 < len(changed) < len(names)
    reports = re.split(r"^==> (.+) <==$", said, flags=re.MULTILINE)
    told = dict(zip(reports[1::2], reports[2::2], strict=True))
    for name in changed:
        assert "nothing was changed" not in told[name]
        assert run("regenerate", "--check", tmp_path / name).code == 0
    assert run("regenerate", *names, cwd=tmp_path).code == 0


def is_whole(project: Path) -> bool:
    """Whether a run has written the edit, and has ended."""
    done = EDIT[1] in (project / "TOOLS.md").read_text()
    return done and not (project / ".scaffold/run/journal.json").exists()
