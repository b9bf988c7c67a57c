"""What an entry starts is on the machine for longer than we run; the rest is in `cases/clients`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from scaffold.install.subject import lasting, subject
from tests.generated import REPOSITORY

EXAMPLE = REPOSITORY / "examples/calculator"


def test_an_entry_never_refers_to_programs_in_our_own_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, programs = tmp_path / "cache/archive-v0/x", tmp_path / "programs"
    for folder in (own / "bin", programs):
        folder.mkdir(parents=True)
        for name in ("uv", "python3"):
            (folder / name).symlink_to(shutil.which("true") or "/bin/true")
    monkeypatch.setattr(sys, "prefix", str(own))
    monkeypatch.setenv("PATH", f"{own}/bin:{programs}")
    assert subject(EXAMPLE).program.command[0] == str(programs / "uv")
    assert lasting("python3") == str(programs / "python3")
