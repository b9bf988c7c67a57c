"""The reader against a coverage-guided fuzzer, where atheris is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile import LONG

REPOSITORY = Path(__file__).parents[2]
SECONDS = 600 if LONG else 15


@pytest.mark.slow
def test_no_bytes_crash_or_hang_the_reader_or_fill_the_memory(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="atheris is not installed")
    seeds = [*REPOSITORY.glob("specs/*.yaml"), *REPOSITORY.glob("tests/spec/cases/*/spec.*")]
    for number, seed in enumerate(seeds):
        shutil.copy(seed, tmp_path / str(number))
    limits = [f"-max_total_time={SECONDS}", "-timeout=5", "-rss_limit_mb=512", "-max_len=8192"]
    ran = subprocess.run(
        [sys.executable, "-m", "tests.hostile.guided", str(tmp_path), *limits],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-5000:]
