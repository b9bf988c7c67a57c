"""Each pair of the table, through the real command: what is found, and the proof of it.

A case has `old`, `new`, and the ids with their levels that are `expected`, and `expected` of the
`reverse`. `input` and `output` stand for a spec with one tool of these schemas.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from scaffold.breaking.change import Level, rules
from scaffold.breaking.fields import TIMEOUT
from scaffold.cli.main import main
from tests.breaking.proofs import check
from tests.generated import generate

CASES = Path(__file__).with_name("cases")


@dataclass(frozen=True)
class Pair:
    """Two specs, and the levels of what is found from the first to the second, by id."""

    name: str
    old: Mapping[str, Any]
    new: Mapping[str, Any]
    expected: Mapping[str, str]


def pairs() -> list[Pair]:
    """Each case, in both directions."""
    result = []
    for path in sorted(CASES.glob("*/case.yaml")):
        case = yaml.safe_load(path.read_text("utf-8"))
        old, new = case["old"], case["new"]
        result.append(Pair(path.parent.name, old, new, case["expected"]))
        result.append(Pair(f"{path.parent.name}-reversed", new, old, case["reverse"]))
    return result


def spec(part: Mapping[str, Any], version: str) -> dict[str, Any]:
    """A whole spec from what a case has of it."""
    whole: dict[str, Any] = {"name": "demo", "version": version}
    tool = {"name": "search", "description": "Search.", "inputSchema": {"type": "object"}}
    if "input" in part:
        tool["inputSchema"] = part["input"]
    if "output" in part:
        tool["outputSchema"] = part["output"]
    if "input" in part or "output" in part:
        whole["tools"] = [tool]
    return whole | {key: value for key, value in part.items() if key not in ("input", "output")}


PAIRS = pairs()

OUTSIDE = {"version-not-raised", "acceptance-expired", "acceptance-unused"}
OUTSIDE |= {"baseline-partial", "spec-added"}
"""Findings that are not about a change; they have tests of their own."""


def compared(pair: Pair, folder: Path) -> dict[str, Any]:
    """What the command says of a pair, after its exit code was checked."""
    (folder / "old.json").write_text(json.dumps(spec(pair.old, "1.0.0")))
    (folder / "mcp.json").write_text(json.dumps(spec(pair.new, "2.0.0")))
    arguments = [str(folder / "mcp.json"), "--against", str(folder / "old.json")]
    ended = CliRunner().invoke(main, ["breaking", *arguments, "--format", "json"])
    assert ended.exit_code == int("error" in pair.expected.values()), ended.output
    report: dict[str, Any] = json.loads(ended.stdout)
    return report


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_a_change_breaks_the_callers_that_its_case_lists(pair: Pair, tmp_path: Path) -> None:
    report = compared(pair, tmp_path)
    levels = defaultdict(set)
    for change in report["changes"]:
        levels[change["id"]].add(change["level"])
    assert {id: "/".join(sorted(some)) for id, some in levels.items()} == pair.expected
    for change in report["changes"]:
        check_proof(change, pair)


def test_a_change_of_authentication_is_reported_at_its_key(tmp_path: Path) -> None:
    [pair] = [pair for pair in PAIRS if pair.name == "bearer-becomes-oauth"]
    messages = [change["message"] for change in compared(pair, tmp_path)["changes"]]
    assert messages == ["clients authenticate with `oauth` now, and did with `bearer`"]


def check_proof(change: dict[str, Any], pair: Pair) -> None:
    """An error about a schema has an instance that one of the two refuses and the other does not."""
    proof, is_error = change["proof"], change["level"] == "error"
    if not (is_error and change["id"].startswith(("argument-", "result-"))):
        assert proof is None or is_error
        return
    old, *_ = spec(pair.old, "1.0.0")["tools"]
    [new] = [tool for tool in spec(pair.new, "2.0.0")["tools"] if tool["name"] == change["subject"]]
    is_result = change["id"].startswith("result-")
    check(old, new, proof["instance"], proof["refusal"], is_result=is_result)


def test_the_table_has_every_rule() -> None:
    seen = {id for pair in PAIRS for id in pair.expected}
    assert seen == rules().keys() - OUTSIDE
    assert len(PAIRS) >= 540


def test_every_rule_but_a_note_says_how_to_avoid_the_change() -> None:
    assert len(rules()) > 50
    for id, rule in rules().items():
        assert bool(rule.remedy) is (rule.level is not Level.INFO), id


@pytest.mark.parametrize("pack", ["python", "python-stdlib"])
def test_a_call_without_a_timeout_has_the_default_timeout_of_servers(
    pack: str, starts_programs: None, tmp_path: Path
) -> None:
    server = generate(spec({"input": {"type": "object"}}, "1.0.0"), tmp_path / "demo", pack=pack)
    report = server.run("--help").stdout.decode().rpartition("call-time")[2]
    assert f"(default: {TIMEOUT})" in report
