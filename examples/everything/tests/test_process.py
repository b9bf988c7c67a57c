"""Test that wrong settings stop the server as a process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        check=False,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


@pytest.mark.parametrize("size", ["513", "large"])
def test_an_invalid_size_stops_the_server_with_a_message(size: str) -> None:
    done = run("-m", "everything", SWATCH_SIZE=size)
    assert done.returncode == 1
    assert done.stderr.startswith("everything: SWATCH_SIZE: ")
    assert done.stdout == ""


@pytest.mark.parametrize("palette", ['{"ink": 7}', "{"])
def test_an_invalid_palette_stops_the_server_with_a_message(
    tmp_path: Path, palette: str
) -> None:
    file = tmp_path / "colours.json"
    file.write_text(palette)
    done = run("-m", "everything", PALETTE_FILE=str(file))
    assert done.returncode == 1
    assert done.stderr.startswith("everything: PALETTE_FILE: ")
