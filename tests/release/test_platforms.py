"""What Windows lacks or does otherwise, simulated here: what docs/platforms.md claims about it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.generated import REPOSITORY
from tests.repository import git


@pytest.mark.slow
@pytest.mark.usefixtures("starts_programs")
def test_all_modules_are_imported_and_the_short_tests_collected_as_on_windows() -> None:
    command = [sys.executable, "-m", "tests.release.windows"]
    ended = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    everywhere, windows = (part.split() for part in ended.stdout.split("\n\n")[:2])
    assert 0 < len(windows) < len(everywhere)
    assert {line for line in windows if line.startswith("tests/")} < {*everywhere}


@pytest.mark.usefixtures("starts_programs")
def test_a_checkout_with_the_line_ends_of_windows_has_the_same_bytes(tmp_path: Path) -> None:
    names = git(REPOSITORY, "ls-files").splitlines()
    windows = ("-c", "core.autocrlf=true", "-c", "core.eol=crlf")
    git(REPOSITORY, *windows, "checkout-index", "--all", f"--prefix={tmp_path}/")
    assert len(names) > 1_000
    for name in names:
        if not (REPOSITORY / name).is_symlink():
            assert (tmp_path / name).read_bytes() == (REPOSITORY / name).read_bytes(), name
