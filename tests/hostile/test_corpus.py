"""Every case of the corpus of hostile specs, from the command line to the running server."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from tests.corpus.fitting import fitting, with_defaults
from tests.corpus.recording import as_text, record_calls, recorded_calls
from tests.generated import PACK, Generated
from tests.hostile.files import folded, shown, unreadable
from tests.hostile.watched import Run, run
from tests.measured import seconds_of
from tests.project_tools import failed, ruff_findings
from tests.raw_client import LEGACY, MODERN, StdioClient, WireCheck

from . import LONG

Case: TypeAlias = dict[str, Any]

PARTS = 8
"""Into how many tests the cases are dealt, so that they can run side by side."""

DEPARTURES = {
    "s27-ref-fanout": "refused, which the corpus allows where the limit is named: one call would "
    "hold an argument against 2^30 schemas and stop the server",
}
"""Cases whose verdict is not ours, and why."""

OWN_CHECKS = ("n04-runtime-words", "p08-collisions", "s29-defs-python-names", "t07-comment-ends")
"""Accepted cases whose types are checked; in the long run, all are, and run their own tests."""

REFUSED_WITHIN, ACCEPTED_WITHIN, ANSWERED_WITHIN = 5.0, 10.0, 2.0
"""Seconds of the processor: on a machine with much else to do, those of the wall say little."""
MEMORY = 512 * 1024**2

LISTED = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
CONTROL = re.compile(
    "[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]"
)


def cases(corpus: Path, verdict: str) -> list[Case]:
    """The cases that we are to refuse, or to accept."""
    index = yaml.load((corpus / "hostile/index.yaml").read_bytes(), yaml.CSafeLoader)
    ours = dict.fromkeys(DEPARTURES, "reject")
    return [case for case in index["cases"] if ours.get(case["id"], case["verdict"]) == verdict]


def new(case: Case, corpus: Path, place: Path) -> Run:
    """Run `mcp-scaffold new SPEC out` where there is nothing but the case's spec."""
    folder = place / case["id"] / "work"
    folder.mkdir(parents=True)
    shutil.copy(corpus / "hostile" / case["file"], folder)
    return run("new", case["file"], "out", "--pack", PACK, folder=folder)


def left(ran: Run) -> list[str]:
    """What lies in the working folder, and beside it, after a run."""
    return sorted(path.name for path in [*ran.folder.iterdir(), *ran.folder.parent.iterdir()])


def ran_badly(case: Case, ran: Run, within: float) -> Iterator[str]:
    """What no run may do, whatever its verdict."""
    if ran.seconds > within:
        yield f"took {ran.seconds:.1f} s"
    if ran.peak > MEMORY:
        yield f"took {ran.peak >> 20} MB"
    if "Traceback" in ran.errors:
        yield ran.errors
    if controls := CONTROL.findall(ran.output + ran.errors):
        yield f"control characters on the terminal: {controls}"
    yield from ran.reached
    for canary in case.get("canary", ()):
        yield from (
            f"canary {folder / canary}"
            for folder in (ran.folder, ran.folder / "out")
            if (folder / canary).exists()
        )


# Refused.


@pytest.mark.parametrize("part", range(2))
def test_invalid_specs_are_refused_with_a_place_and_leave_no_files(
    corpus: Path, tmp_path: Path, part: int
) -> None:
    faults = {}
    for case in cases(corpus, "reject")[part::2]:
        ran = new(case, corpus, tmp_path)
        if problems := [*ran_badly(case, ran, REFUSED_WITHIN), *not_refused_well(case, ran)]:
            faults[case["id"]] = problems
    assert faults == {}


def not_refused_well(case: Case, ran: Run) -> Iterator[str]:
    if ran.status != 2:
        yield f"ended with {ran.status}"
    if ran.output:
        yield f"printed {ran.output!r}"
    if not re.search(
        rf"^{re.escape(case['file'])}:\d+:\d+: error\[[a-z-]+\] \S", ran.errors, re.MULTILINE
    ):
        yield f"names no place: {ran.errors}"
    if "\nhint: " not in ran.errors:
        yield f"does not say what to do: {ran.errors}"
    if left(ran) != sorted([case["file"], "work", "work.watch"]):
        yield f"left {left(ran)}"
    if not speaks_of(case, ran):
        yield f"not about {case['at']}: {ran.errors}"


def speaks_of(case: Case, ran: Run) -> bool:
    """Whether a message is about a line of the thing that is hostile, where the corpus names it."""
    lines = re.findall(r"^[^\s:]+:(\d+):\d+: error", ran.errors, re.MULTILINE)
    at = case.get("at") or ""
    return at.removeprefix("line ") in lines if at.startswith("line ") else bool(lines)


# Accepted.


@pytest.mark.parametrize("part", range(PARTS))
def test_valid_specs_are_served_as_intended(
    corpus: Path, tmp_path: Path, check: WireCheck, part: int
) -> None:
    faults = {}
    for case in cases(corpus, "accept")[part::PARTS]:
        ran = new(case, corpus, tmp_path)
        problems = [*ran_badly(case, ran, ACCEPTED_WITHIN)]
        if ran.status == 0:
            expected = json.loads((corpus / "hostile" / case["expected"]).read_bytes())["tools"]
            problems += [*not_written_well(ran.folder / "out", expected)]
            problems += [*not_served_well(Generated.at(ran.folder / "out"), case, expected, check)]
        else:
            problems.append(f"ended with {ran.status}: {ran.errors}")
        if problems:
            faults[case["id"]] = problems
    assert faults == {}


def not_written_well(folder: Path, expected: list[Case]) -> Iterator[str]:
    yield from (f"{path}: {fault}" for path, fault in unreadable(folder).items())
    if output := ruff_findings(folder):
        yield output
    page = shown((folder / "TOOLS.md").read_text("utf-8"))
    for tool in expected:
        for text in (tool["name"], tool.get("description", "")):
            if folded(text) not in page:
                yield f"TOOLS.md does not show {text!r}"


def not_served_well(
    project: Generated, case: Case, expected: list[Case], check: WireCheck
) -> Iterator[str]:
    schemas = {tool["name"]: tool["inputSchema"] for tool in expected}
    record_calls(
        project,
        {
            tool["name"]: fitting(tool["outputSchema"], 1)[0]
            for tool in expected
            if "outputSchema" in tool
        },
    )
    for version in [MODERN] if case["tier"] == "more" else [LEGACY[-1], MODERN]:
        with StdioClient(project, version, check) as client:
            listed = client.request("tools/list")["result"]["tools"]
            wire = [{key: tool[key] for key in LISTED if key in tool} for tool in listed]
            if as_text(wire) != as_text(expected):
                yield f"lists {wire}"
            for call in case.get("calls", ()):
                yield from answered_wrongly(project, client, call, schemas[call["tool"]])
        if client.garbage or "Traceback" in client.log:
            yield f"{client.garbage} {client.log}"


def answered_wrongly(
    project: Generated, client: StdioClient, call: Case, schema: Case
) -> Iterator[str]:
    name, arguments = call["tool"], call["arguments"]
    before = seconds_of(client.process.pid)
    result = client.request("tools/call", {"name": name, "arguments": arguments})["result"]
    if (taken := seconds_of(client.process.pid) - before) > ANSWERED_WITHIN:
        yield f"{call} took {taken:.1f} s"
    reached = [[name, with_defaults(arguments, schema)]] if call["valid"] else []
    if as_text(recorded := recorded_calls(project)) != as_text(reached):
        yield f"{call} reached the handler as {recorded}"
    if result.get("isError", False) is call["valid"]:
        yield f"{call} is answered {result}"


@pytest.mark.slow
def test_projects_pass_their_own_checks(corpus: Path, tmp_path: Path) -> None:
    faults = {}
    for case in cases(corpus, "accept"):
        if not LONG and case["id"] not in OWN_CHECKS:
            continue
        folder = new(case, corpus, tmp_path).folder / "out"
        if output := failed(folder, "mypy") or (LONG and failed(folder, "pytest", "-q")):
            faults[case["id"]] = output
    assert faults == {}
