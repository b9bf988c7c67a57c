"""Faults planted in a sound pack, one at a time (`faults.toml`): `pack check` finds each, at its place."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from scaffold.cli.main import main

SOUND = Path(__file__).with_name("sound")
FAULTS = tomllib.loads(SOUND.with_name("faults.toml").read_text("utf-8"))["fault"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sound pack."""
    shutil.copytree(SOUND, tmp_path / "sound")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "sound"


def checked(path: str) -> tuple[int, str]:
    """Check a pack without running servers: exit code and report."""
    ended = CliRunner().invoke(main, ["pack", "check", path, "--no-run"])
    assert not ended.exception or isinstance(ended.exception, SystemExit), ended.exception
    return ended.exit_code, ended.stderr


@pytest.mark.parametrize("fault", [pytest.param(fault, id=fault["name"]) for fault in FAULTS])
def test_a_faulty_pack_is_reported(fault: dict[str, Any], folder: Path) -> None:
    if not fault.get("questions"):
        (folder / "copier.yml").unlink()
        (folder / "pack/labels.toml.j2.copier").unlink()
        (folder / "pack/labels.toml.j2").write_text('team = "platform"\n')
    file, old = folder / fault["file"], fault.get("old")
    text = file.read_text("utf-8") if old else ""
    assert text.count(old or "") == 1
    file.write_text(text.replace(old, fault["new"]) if old else fault["new"], "utf-8")
    code, said = checked("sound" if fault.get("questions") else "sound/pack")
    found = fault["found"]
    assert (found if found.startswith("error") else f"sound/{found}") in said
    assert code == (0 if "warning" in found else 2)


def test_the_valid_pack_has_no_findings(folder: Path) -> None:
    assert checked("sound") == (0, "sound: 16 servers checked\n")
