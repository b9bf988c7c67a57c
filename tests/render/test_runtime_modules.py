"""A module of the runtime is there if another one imports it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from scaffold.clients.client import read_clients
from scaffold.languages.python.text import FILTERS
from scaffold.packs import builtin_packs
from scaffold.packs.engine import render
from scaffold.packs.pack import read_pack
from scaffold.project.attachments import attachments
from scaffold.project.build import build
from scaffold.yaml.source import parse
from tests.checked import check
from tests.generated import REPOSITORY

KINDS: dict[str, dict[str, Any]] = {
    "tools": {"name": "one", "description": "Is one.", "inputSchema": {"type": "object"}},
    "resources": {"uri": "a://one", "name": "one"},
    "prompts": {"name": "one", "arguments": [{"name": "two"}]},
}
FEATURES: dict[str, dict[str, Any]] = {
    "none": {},
    "lists change": {"capabilities": {kind: {"listChanged": True} for kind in KINDS}},
    "subscriptions": {"capabilities": {"resources": {"subscribe": True}}},
    "log": {"capabilities": {"logging": {}}},
    "completions": {"prompts": [KINDS["prompts"]], "capabilities": {"completions": {}}},
    "elicitation": {"clientCapabilities": {"elicitation": {}}},
    "sampling": {"clientCapabilities": {"sampling": {}}},
    "roots": {"clientCapabilities": {"roots": {}}},
    "http": {"transports": ["streamable-http"]},
    "sse": {"transports": ["sse"]},
    "settings": {"env": [{"name": "PLACE"}]},
}


def modules(spec: dict[str, Any]) -> dict[str, str]:
    """Return the source of each module of the runtime, by its name."""
    document = parse(json.dumps({"name": "made", "version": "1", **spec}))
    checked = check(document)
    project = build(checked, attachments(checked, document, REPOSITORY), read_clients())
    files = render(project, [read_pack(builtin_packs() / "python")], FILTERS)
    folder = "src/made/_generated/runtime/"
    return {
        path.removeprefix(folder).removesuffix(".py"): file.text
        for path, file in files.items()
        if path.startswith(folder)
    }


@pytest.mark.parametrize("feature", FEATURES)
@pytest.mark.parametrize("kind", KINDS)
def test_each_module_finds_what_it_imports(kind: str, feature: str) -> None:
    capabilities = FEATURES[feature].get("capabilities", {})
    fitting = {k: v for k, v in capabilities.items() if k not in KINDS or k == kind}
    spec = {kind: [KINDS[kind]], **FEATURES[feature]}
    if capabilities:
        spec["capabilities"] = fitting
    made = modules(spec)
    wanted = {
        name
        for text in made.values()
        for name in re.findall(r"^from \.(\w+) import", text, re.MULTILINE)
    }
    assert wanted
    assert wanted <= made.keys()
