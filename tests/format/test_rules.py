"""Each rule of rules.yaml is one that a spec is held to, wherever in the rules it stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from scaffold.base.diagnostics import ScaffoldError
from scaffold.yaml.source import parse
from tests.checked import check

TOOL = {"name": "find", "inputSchema": {"type": "object"}}
RULES = yaml.safe_load(Path(__file__).with_name("rules.yaml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [(keys, []) for rule in RULES.values() for keys in rule["right"]]
    + [(keys, [id]) for id, rule in RULES.items() for keys in rule["wrong"]],
    ids=str,
)
def test_each_rule_is_enforced(keys: dict[str, Any], expected: list[str]) -> None:
    spec = {"name": "blog", "version": "1", "tools": [TOOL], **keys}
    ids = []
    try:
        check(parse(json.dumps(spec)))
    except ScaffoldError as error:
        ids = [diagnostic.id for diagnostic in error.diagnostics]
    assert ids == expected
