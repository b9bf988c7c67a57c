"""Each tool of an imported OpenAPI document sends the request that the document describes."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.commands.importing import imported
from scaffold.sources.read import read_source
from scaffold.yaml.source import parse
from tests.corpus.fitting import fitting_objects
from tests.generated import generate
from tests.raw_client import MODERN, StdioClient, WireCheck
from tests.sources.documented_api import Api, operation_of, resolved, serving

pytestmark = pytest.mark.usefixtures("starts_programs")

DOCUMENTS = [
    "petstore-swagger.yaml",
    "twilio-frontline-v1.json",
    "oai-examples/v3.0-api-with-examples.yaml",
    "oai-examples/v3.0-callback-example.yaml",
    "oai-examples/v3.0-link-example.yaml",
    "oai-examples/v3.0-petstore-expanded.yaml",
    "oai-examples/v3.0-petstore.yaml",
    "oai-examples/v3.0-uspto.yaml",
    "oai-examples/v3.1-non-oauth-scopes.yaml",
    "oai-examples/v3.1-tictactoe.yaml",
]
LARGE = "discord.json"
LONG = "MCP_SCAFFOLD_HOSTILE" in os.environ
"""Whether to call each of its operations."""
WITHOUT_OPERATIONS = ["oai-examples/v3.1-webhook-example.yaml"]


@dataclass(frozen=True)
class Running:
    """The server of an imported document, and the API that it calls."""

    tools: list[dict[str, Any]]
    client: StdioClient
    api: Api
    document: dict[str, Any]


@pytest.fixture(
    scope="module",
    params=[
        *(pytest.param((name, "*", 1), id=Path(name).stem) for name in DOCUMENTS),
        pytest.param((LARGE, "/channels/**", 3), id="discord"),
        pytest.param((LARGE, "*", 1 if LONG else 6), id="discord-whole", marks=pytest.mark.slow),
    ],
)
def running(
    request: pytest.FixtureRequest,
    corpus: Path,
    check: WireCheck,
    tmp_path_factory: pytest.TempPathFactory,
) -> Generator[Running]:
    """A document with the operations that a pattern chooses, of which one in so many is called."""
    name, pattern, step = request.param
    path = corpus / "openapi" / name
    folder = tmp_path_factory.mktemp("imported")
    found = imported(read_source(str(path)), folder / "spec.yaml", [pattern], [])
    project = generate(found.path, folder / "project")
    spec = value_of(found.path)
    variable = spec["api"]["url"]["env"]
    secrets = {one["name"]: "a:b" for one in spec["env"] if one.get("secret")}
    tools = spec["tools"][::step]
    with serving() as api:
        client = StdioClient(project, MODERN, check, **{variable: api.url}, **secrets)
        with client:
            yield Running(tools, client, api, value_of(path))
        assert client.process.returncode == 0, client.log
        assert client.faults == []
        assert "Traceback" not in client.log


def test_no_document_is_forgotten(corpus: Path) -> None:
    folder = corpus / "openapi"
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")} - {"index.yaml"}
    assert found == {*DOCUMENTS, LARGE, *WITHOUT_OPERATIONS}
    for name in WITHOUT_OPERATIONS:
        with pytest.raises(ScaffoldError, match="the document has no operations"):
            imported(read_source(str(folder / name)), Path("spec.yaml"), [], [])


def test_each_call_is_a_request_of_its_operation(running: Running) -> None:
    answered = [(tool, answer) for tool in running.tools if (answer := response(tool))]
    assert len(answered) > 0.8 * len(running.tools)
    for tool, answer in answered:
        for arguments in sendable(tool, fitting_objects(tool["inputSchema"], 2)):
            running.api.answers(*answer)
            result = running.client.call(tool["name"], **arguments)["result"]
            assert not result.get("isError"), (tool["name"], arguments, result)
            (seen,) = running.api.seen
            assert seen.method == tool["handler"]["http"]["method"]
            operation = operation_of(running.document, seen)
            known = {one["name"] for one in operation["parameters"] if one["in"] == "query"}
            assert {name.partition("[")[0] for name, _ in seen.query} <= known
            if seen.body:
                kind = seen.headers["content-type"].partition(";")[0]
                body = resolved(running.document, operation["requestBody"])
                assert any(fnmatch(kind, one.partition(";")[0]) for one in body["content"])


def value_of(path: Path) -> Any:
    return parse(path.read_text(encoding="utf-8"), path.name).value


def sendable(tool: dict[str, Any], found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Arguments whose texts can stand in paths and headers."""
    http = tool["handler"]["http"]
    headers = {one.get("argument", one["name"]) for one in http.get("parameters", ())}
    path = {name for name in tool["inputSchema"]["properties"] if f"{{{name}}}" in http["path"]}

    def changed(name: str, value: Any) -> Any:
        if name in path and value in ("", ".", "..", [], [""], {}):
            return ["x"] if isinstance(value, list) else {"x": 1} if value == {} else "x"
        if name in headers and isinstance(value, str) and not value.isprintable():
            return "x"
        return value

    return [{name: changed(name, value) for name, value in one.items()} for one in found]


def response(tool: dict[str, Any]) -> tuple[int, bytes] | None:
    """A response that the operation of a tool may give, or None where the search is in vain."""
    if tool["handler"]["http"].get("response", {}).get("redirect"):
        return 302, b""
    if "outputSchema" not in tool:
        return 200, b"done"
    key = tool["handler"]["http"].get("response", {}).get("property")
    found = fitting_objects(tool["outputSchema"], 1)
    if not found:
        return None
    [value, *_] = found
    if key and key not in value:
        return 204, b""
    return 200, json.dumps(value[key] if key else value).encode()
