"""The table of pairs of specs, each with what `breaking` finds from one to the other and back.

A case has `old`, `new`, and the ids with their levels that are `expected`, and `expected` of the
`reverse`. `input` and `output` stand for a spec with one tool of these schemas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

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
    found = []
    for path in sorted(CASES.glob("*/case.yaml")):
        case = yaml.safe_load(path.read_text("utf-8"))
        old, new = case["old"], case["new"]
        found.append(Pair(path.parent.name, old, new, case["expected"]))
        found.append(Pair(f"{path.parent.name}-reversed", new, old, case["reverse"]))
    return found


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
