"""Real tool lists: each edit of a tool is found as what it is, with a proof, and nothing else."""

from __future__ import annotations

import json
import os
from copy import deepcopy
from random import Random
from typing import Any

from scaffold.breaking.change import Level
from scaffold.breaking.compare import compare
from scaffold.format.check import load
from scaffold.format.spec import Spec
from scaffold.project import chosen
from scaffold.yaml.source import parse
from tests.breaking.edits import edits
from tests.breaking.proofs import check
from tests.breaking.test_random import schemas_in
from tests.captured import Captured

MOST = int(os.environ.get("BREAKING_TOOLS", "4"))
"""The tools of each list that are edited: some in CI, all by hand."""


def spec_of(*tools: dict[str, Any]) -> Spec:
    document = {"name": "demo", "version": "1.0.0", "tools": list(tools)}
    return load(parse(json.dumps(document)), chosen.rule()).spec


def test_each_edit_is_reported_without_other_changes(captured: Captured) -> None:
    wrong = []
    for tool in captured.tools[:MOST]:
        old = spec_of(tool)
        for name, edited, expected in edits(tool):
            changes = [*compare(old, spec_of(edited))]
            if {change.id for change in changes} != expected:
                wrong.append((tool["name"], name, expected, changes))
            for change in changes:
                if change.refusal is not None:
                    is_result = change.id.startswith("result-")
                    check(tool, edited, change.witness, change.refusal, is_result=is_result)
                elif change.id.startswith(("argument-n", "result-")):
                    assert change.level is not Level.ERROR
    assert not wrong, wrong


def test_an_equivalent_or_wider_schema_is_nearly_always_proved_safe(captured: Captured) -> None:
    unproved = set()
    for number, tool in enumerate(captured.tools[: 3 * MOST]):
        same = in_other_words(Random(number), tool["inputSchema"])
        wider = {k: v for k, v in same.items() if k not in ("required", "additionalProperties")}
        for schema in (same, wider):
            changes = compare(spec_of(tool), spec_of({**tool, "inputSchema": schema}))
            assert not any(change.level is Level.ERROR for change in changes), changes
            unproved |= {tool["name"] for change in changes if not change.is_proved}
    assert len(unproved) <= 1


def in_other_words(random: Random, schema: dict[str, Any]) -> dict[str, Any]:
    """The same schema, with parts of it inside `allOf` and `anyOf`, and in another order."""
    new = deepcopy(schema)
    for here in [*schemas_in(new)][1:]:
        rest = {key: here.pop(key) for key in random.sample([*here], len(here))}
        here |= random.choice([{"allOf": [rest]}, {"anyOf": [rest]}, rest])
    return new


def test_a_list_has_no_differences_from_itself(captured: Captured) -> None:
    tools = [{**tool} for tool in captured.tools]
    assert compare(spec_of(*tools), spec_of(*tools)) == ()


def test_only_added_and_removed_tools_are_reported(captured: Captured) -> None:
    first, *others = [*captured.tools, {"name": "kept", "inputSchema": {"type": "object"}}]
    gone = compare(spec_of(first, *others), spec_of(*others))
    assert [(change.id, change.subject) for change in gone] == [("tool-removed", first["name"])]
    added = compare(spec_of(*others), spec_of(first, *others))
    ids = [(change.id, change.subject) for change in added]
    assert ids == [("tool-added", first["name"])]
