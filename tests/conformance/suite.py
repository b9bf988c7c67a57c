"""The official conformance suite: installed once, run against a server, its verdicts read back."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import npm

RUN_WITHIN = 180.0

TIME = re.compile(r"-\d{4}-\d\d-\d\dT.*")


def installed(version: str, cache: Path) -> Path:
    """The suite's program, from npm at the first use; `cache` keeps one folder for each version."""
    return npm.installed("@modelcontextprotocol/conformance", version, "dist/index.js", cache)


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
        [npm.NODE, program, "server", "--url", url, "--output-dir", results, *options],
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
