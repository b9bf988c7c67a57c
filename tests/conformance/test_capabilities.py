"""A spec's capabilities: what is announced, what is generated for it, and what it does."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.generated import Generated, generate, of_the_sdk
from tests.raw_client import LEGACY, MODERN, Message, StdioClient, WireCheck

OPTIONAL = {
    *("changes", "completions", "connections", "elicitation", "logs", "prompts"),
    *("questions", "roots", "sampling", "static_resources", "task", "tasks"),
    *("task_client", "task_questions", "task_store"),
}
"""The modules of the runtime that only some servers need."""


CASES = yaml.safe_load(Path(__file__).with_name("capabilities.yaml").read_text("utf-8"))
TOOLS = [{"name": n, "description": f"Do {n}.", "inputSchema": {"type": "object"}} for n in "ab"]


def announced(project: Generated, check: WireCheck, version: str) -> Message:
    with StdioClient(project, version, check) as client:
        opening = client.opening if version != MODERN else client.request("server/discover")
        assert client.faults == []
    offers: Message = opening["result"]["capabilities"]
    # A flag that is false is not announced, whether it is there or not.
    return {
        kind: {flag: value for flag, value in offer.items() if value is not False}
        for kind, offer in offers.items()
    }


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=of_the_sdk if case == "tasks" else ()) for case in CASES]
)
def test_a_server_has_and_announces_only_what_its_spec_declares(
    tmp_path: Path, check: WireCheck, case: str
) -> None:
    expected = CASES[case]
    spec = {"name": "small", "version": "1", "tools": TOOLS, **expected["declared"]}
    project = generate(spec, tmp_path / "small")
    generated = {path.stem for path in (project.source / "_generated" / "runtime").iterdir()}
    assert generated & OPTIONAL == {*expected["modules"]}
    assert announced(project, check, LEGACY[-1]) == expected["legacy"]
    assert announced(project, check, MODERN) == expected["modern"]
