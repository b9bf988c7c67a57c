"""Faults that are planted in the entry of a client, in its environment or in the server."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from scaffold.base.diagnostics.explain import sections
from scaffold.clients.client import read_client
from tests.trial.entries import KNOB_SERVER, SERVER, SHELL, tried

UV = str(Path(sys.executable).with_name("uv"))
CASES = yaml.safe_load(Path(__file__).with_name("faults.yaml").read_text("utf-8"))


def placed(value: Any) -> Any:
    """Return data of a case with the paths of this machine in it."""
    if isinstance(value, dict):
        return {key: placed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [placed(item) for item in value]
    paths = {"{python}": sys.executable, "{server}": KNOB_SERVER, "{uv}": str(Path(UV).parent)}
    for slot, path in paths.items() if isinstance(value, str) else ():
        value = value.replace(slot, path)
    return value


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_planted_fault_is_reported_without_a_secret(case: Mapping[str, Any]) -> None:
    known = read_client(case["client"])
    client = replace(known, limits=replace(known.limits, **case.get("limits", {})))
    entry = placed(case.get("entry", {}))
    if "server" in case:
        entry |= {"command": sys.executable, "args": [KNOB_SERVER, json.dumps(case["server"])]}
    server = replace(SERVER, name=case.get("name", SERVER.name))
    result = tried(client, entry, server, shell=placed(case.get("shell", SHELL)))
    assert not result.works
    assert "s3cret" not in str(result.findings)
    texts = [f"{finding.id}: {finding.message} | {finding.hint}" for finding in result.findings]
    assert {finding.id for finding in result.findings} == {case["id"]}, texts
    assert any(case["said"] in finding for finding in texts), texts
    assert placed(case.get("hint", "")) in str(result.findings[0].hint)


@pytest.mark.parametrize("id", sorted({case["id"] for case in CASES.values()}))
def test_each_finding_is_explained(id: str) -> None:
    assert sections()[id]
