"""The official conformance suite over streamable HTTP: all that any server can pass."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conformance.conftest import REPOSITORY
from tests.conformance.suite import Verdict, installed, run
from tests.generated import WebServer, of_the_sdk

LEGACY_SUITE = "0.1.16"
SUITE = "0.2.0-alpha.12"


@pytest.fixture
def judge(web: Callable[[str], WebServer], tmp_path: Path) -> Callable[..., Verdict]:
    """Run scenarios of a version of the suite against the fixture server."""

    def run_suite(version: str, *options: str) -> Verdict:
        program = installed(version, REPOSITORY / ".cache")
        return run(program, web("streamable-http").url("/mcp"), tmp_path, *options)

    return run_suite


def test_every_scenario_of_the_released_suite_passes(judge: Callable[..., Verdict]) -> None:
    verdict = judge(LEGACY_SUITE, "--suite", "all")
    assert verdict.failed == {}
    assert len(verdict.scenarios) == 32, verdict.output


@pytest.mark.parametrize(("revision", "count"), [("2025-11-25", 30), ("2026-07-28", 37)])
def test_every_requirement_of_a_revision_is_met(
    judge: Callable[..., Verdict], revision: str, count: int
) -> None:
    verdict = judge(SUITE, "--requirements", revision)
    _, _, unscored = verdict.output.partition(f"Not scored for {revision}")
    optional = {line.split()[1] for line in unscored.splitlines() if line.startswith("  ")}
    required = verdict.scenarios.keys() - optional
    assert len(required) == count, verdict.output
    assert verdict.failed == {}
    assert verdict.checks("wire-schema-valid", "SUCCESS") > 20


def test_every_scenario_passes_including_extensions(judge: Callable[..., Verdict]) -> None:
    verdict = judge(SUITE, "--suite", "all")
    assert len(verdict.scenarios) == 65, verdict.output
    assert verdict.failed == {}


@of_the_sdk
@pytest.mark.parametrize(
    ("part", "count"), [("directory", 7), ("enumeration", 32), ("manifest", 6)]
)
def test_skills_pass_every_check_without_a_warning(
    judge: Callable[..., Verdict], part: str, count: int
) -> None:
    verdict = judge(SUITE, "--scenario", f"sep-2640-skills-{part}")
    [checks] = verdict.scenarios.values()
    assert [check["status"] for check in checks] == ["SUCCESS"] * count, verdict.output


def test_every_message_is_valid_in_older_versions(judge: Callable[..., Verdict]) -> None:
    verdict = judge(SUITE, "--suite", "all", "--spec-version", "2025-06-18")
    assert verdict.checks("wire-schema-valid", "FAILURE") == 0
    assert verdict.checks("wire-schema-valid", "SUCCESS") > 20
