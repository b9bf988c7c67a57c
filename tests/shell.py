"""Scripts at a shell, as CI runs them."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path


def bash(script: str, folder: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a script that stops at its first error, with no input."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
