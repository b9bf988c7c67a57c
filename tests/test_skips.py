"""In CI, where everything that tests need is present, no test is skipped without a reason on record."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.parametrize(
    ("reason", "environment", "code", "processes"),
    [
        ("no time for it", {"CI": "true"}, 1, []),
        ("no time for it", {"CI": "true"}, 1, ["-n", "1"]),
        ("prlimit is there on Linux only", {"CI": "true"}, 0, []),
        ("no time for it", {}, 0, []),
    ],
    ids=["in CI", "in CI in several processes", "for a reason on record", "at home"],
)
def test_a_skip_fails(
    tmp_path: Path, reason: str, environment: dict[str, str], code: int, processes: list[str]
) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_sessionfinish\n")
    (tmp_path / "test_it.py").write_text(
        f"import pytest\ndef test_it(): pytest.skip({reason!r})\ndef test_that(): pass\n"
    )
    kept = {name: value for name, value in os.environ.items() if name != "CI"}
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *processes, "."],
        cwd=tmp_path,
        env={**kept, "PYTHONPATH": str(REPOSITORY), "MCP_SCAFFOLD_SHARED": ".", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == code, ended.stdout
    assert ("CI must not skip: " in ended.stdout) == bool(code)
