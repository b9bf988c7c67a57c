"""Real tool lists, each served by the server generated for it: listed as captured, called right."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, TypeAlias

import pytest

from tests.captured import Captured
from tests.corpus.fitting import fitting, fitting_objects, near_misses, with_defaults
from tests.corpus.recording import as_text, record_calls, recorded_calls
from tests.generated import Generated, generate
from tests.hostile.files import unreadable
from tests.project_tools import ruff_findings
from tests.raw_client import LEGACY, MODERN, StdioClient, WireCheck

Calls: TypeAlias = dict[str, list[dict[str, Any]]]
"""Arguments by the name of the tool."""

VALID_CALLS = 2
"""Of each tool, besides one with every argument that it declares."""


@pytest.fixture(scope="module")
def results(captured: Captured) -> dict[str, Any]:
    """What each tool returns that has an `outputSchema`."""
    return {
        tool["name"]: fitting(tool["outputSchema"], 1)[0]
        for tool in captured.tools
        if "outputSchema" in tool
    }


@pytest.fixture(scope="module")
def valid(captured: Captured) -> Calls:
    """Arguments that fit what each tool takes."""
    return {tool["name"]: arguments_of(json.dumps(tool["inputSchema"])) for tool in captured.tools}


@cache
def arguments_of(schema: str) -> list[dict[str, Any]]:
    """Arguments that fit a schema: they take long to find, and servers of both packs get them."""
    calls = fitting_objects(json.loads(schema), VALID_CALLS)
    assert calls, schema
    return calls


@pytest.fixture(scope="module", params=["python", "python-stdlib"])
def project(
    request: pytest.FixtureRequest,
    captured: Captured,
    results: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Generated:
    """The server of a list, whose code compiles without a warning and pleases ruff."""
    folder = tmp_path_factory.mktemp("generated") / captured.name
    project = generate(captured.spec, folder, pack=request.param)
    assert unreadable(folder) == {}
    assert ruff_findings(folder, "--isolated", "--target-version=py311") == ""
    record_calls(project, results)
    return project


@pytest.fixture(scope="module")
def clients(project: Generated, check: WireCheck) -> Iterator[tuple[StdioClient, StdioClient]]:
    """A client of each era, with a server of its own."""
    legacy, modern = (StdioClient(project, version, check) for version in (LEGACY[-1], MODERN))
    with legacy, modern:
        yield legacy, modern
    for client in (legacy, modern):
        assert client.process.returncode == 0, client.log
        assert "Traceback" not in client.log
        assert client.garbage == []
        assert client.faults == []


def test_lists_hold_the_captured_objects(
    captured: Captured, clients: tuple[StdioClient, StdioClient]
) -> None:
    for client in clients:
        for kind in captured.spec.keys() & {"tools", "resources", "prompts"}:
            listed = client.request(f"{kind}/list")["result"][kind]
            expected = [as_listed(entry, client.version) for entry in captured.spec[kind]]
            assert json.dumps(listed) == json.dumps(expected)


def as_listed(entry: dict[str, Any], version: str) -> dict[str, Any]:
    """What clients see of a captured object.

    Before 2026-07-28 an `outputSchema` describes an object; any other is left out.
    """
    if version in LEGACY and entry.get("outputSchema", {}).get("type", "object") != "object":
        return {key: value for key, value in entry.items() if key != "outputSchema"}
    return entry


def test_a_valid_call_reaches_the_handler_with_exactly_its_arguments(
    captured: Captured,
    clients: tuple[StdioClient, StdioClient],
    project: Generated,
    valid: Calls,
    results: dict[str, Any],
) -> None:
    for client in clients:
        for tool in captured.tools:
            name = tool["name"]
            for arguments in valid[name]:
                result = client.call(name, **arguments)["result"]
                assert not result.get("isError"), (name, arguments, result)
                reached = [[name, with_defaults(arguments, tool["inputSchema"])]]
                assert as_text(recorded_calls(project)) == as_text(reached)
                (block,) = result["content"]
                if name not in results:
                    assert block == {"type": "text", "text": "done"}
                    continue
                assert as_text(json.loads(block["text"])) == as_text(results[name])
                if client.version == MODERN or isinstance(results[name], dict):
                    assert as_text(result["structuredContent"]) == as_text(results[name])


def test_an_invalid_call_is_an_error_and_does_not_reach_the_handler(
    captured: Captured,
    clients: tuple[StdioClient, StdioClient],
    project: Generated,
    valid: Calls,
) -> None:
    for tool in captured.tools:
        name, schema = tool["name"], tool["inputSchema"]
        invalid = near_misses(schema)
        assert invalid or schema["properties"] == {}, f"{name} takes whatever it is given"
        for client in clients:
            for keyword, arguments in invalid.items():
                result = client.call(name, **arguments)["result"]
                assert result["isError"], (name, keyword, arguments)
                head, *faults = result["content"][0]["text"].split("\n- ")
                assert head == "Invalid arguments:", (name, keyword, arguments)
                assert faults
                assert all(fault.startswith("/") for fault in faults)
    assert recorded_calls(project) == []
