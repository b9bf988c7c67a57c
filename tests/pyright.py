"""Pyright, the other type checker, run on a generated project as an editor runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.npm import NODE, installed

VERSION = "1.1.414"
RUN_WITHIN = 300.0
WHOLE = ("src", "tests", "client.py")
"""The paths of all that is Python in a project."""


def errors(cache: Path, project: Path, *paths: str) -> dict[str, list[str]]:
    """What strict pyright finds in these paths of a project, by file."""
    return _found(cache, project, {"include": [*paths], "extraPaths": ["src", "."]})


def errors_in_all(cache: Path, folder: Path) -> dict[str, list[str]]:
    """What one run of strict pyright finds in all projects in a folder, by file."""
    names = [project.name for project in folder.iterdir() if project.is_dir()]
    roots = [{"root": name, "extraPaths": [f"{name}/src", name]} for name in names]
    include = [f"{name}/{path}" for name in names for path in WHOLE]
    return _found(cache, folder, {"include": include, "executionEnvironments": roots})


def _found(cache: Path, project: Path, about: Mapping[str, Any]) -> dict[str, list[str]]:
    config = project / "pyrightconfig.json"
    settings = {"typeCheckingMode": "strict", "pythonVersion": "3.11", **about}
    config.write_text(json.dumps(settings))
    try:
        command = [
            str(NODE),
            str(installed("pyright", VERSION, "index.js", cache)),
            "--outputjson",
            "--pythonpath",
            sys.executable,
        ]
        ran = subprocess.run(
            command, cwd=project, capture_output=True, text=True, check=False, timeout=RUN_WITHIN
        )
    finally:
        config.unlink()
    diagnostics: list[dict[str, Any]] = json.loads(ran.stdout)["generalDiagnostics"]
    messages: dict[str, list[str]] = {}
    for diagnostic in diagnostics:
        if diagnostic["severity"] == "error":
            name = Path(diagnostic["file"]).relative_to(project.resolve()).as_posix()
            messages.setdefault(name, []).append(diagnostic["message"])
    return messages
