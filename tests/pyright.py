"""Pyright, the other type checker, run on a generated project as an editor runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from filelock import FileLock

from tests.conformance.suite import INSTALL_WITHIN, NODE, NPM

VERSION = "1.1.414"
RUN_WITHIN = 300.0


def installed(cache: Path) -> Path:
    """The program, from npm at the first use; `cache` keeps one folder for each version."""
    folder = cache / f"pyright-{VERSION}"
    cache.mkdir(exist_ok=True)
    with FileLock(cache / f"{folder.name}.lock"):
        program = folder / "node_modules/pyright/index.js"
        if not program.exists():
            options = ["--no-audit", "--no-fund", "--silent", "--ignore-scripts"]
            where = ["--prefix", str(folder)]
            command = [str(NODE), str(NPM), "install", *options, *where, f"pyright@{VERSION}"]
            subprocess.run(command, check=True, timeout=INSTALL_WITHIN)
    return program


def errors(cache: Path, project: Path, *paths: str) -> dict[str, list[str]]:
    """What strict pyright finds in these paths of a project, by file."""
    config = project / "pyrightconfig.json"
    settings = {
        "typeCheckingMode": "strict",
        "include": [*paths],
        "extraPaths": ["src"],
        "pythonVersion": "3.11",
    }
    config.write_text(json.dumps(settings))
    try:
        command = [str(NODE), str(installed(cache)), "--outputjson", "--pythonpath", sys.executable]
        ran = subprocess.run(
            command, cwd=project, capture_output=True, text=True, check=False, timeout=RUN_WITHIN
        )
    finally:
        config.unlink()
    told: list[dict[str, Any]] = json.loads(ran.stdout)["generalDiagnostics"]
    found: dict[str, list[str]] = {}
    for one in told:
        if one["severity"] == "error":
            name = Path(one["file"]).relative_to(project.resolve()).as_posix()
            found.setdefault(name, []).append(one["message"])
    return found
