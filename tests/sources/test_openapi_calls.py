"""Each tool of an imported OpenAPI document sends the request that the document describes."""

from __future__ import annotations

import json
import os
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
from tests.sources.documented_api import Seen, operation_of, resolved, serving

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


def test_every_document_has_a_test(corpus: Path) -> None:
    folder = corpus / "openapi"
    paths = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")} - {"index.yaml"}
    assert paths == {*DOCUMENTS, LARGE, *WITHOUT_OPERATIONS}
    for name in WITHOUT_OPERATIONS:
        with pytest.raises(ScaffoldError, match="the document has no operations"):
            imported(read_source(str(folder / name)), Path("spec.yaml"), [], [])


@pytest.mark.parametrize(
    ("name", "pattern", "step"),
    [
        *((name, "*", 1) for name in DOCUMENTS),
        (LARGE, "/channels/**", 3),
        pytest.param(LARGE, "*", 1 if LONG else 6, marks=pytest.mark.slow),
    ],
)
def test_each_call_is_a_request_of_its_operation(
    name: str, pattern: str, step: int, corpus: Path, check: WireCheck, tmp_path: Path
) -> None:
    """A pattern chooses the operations, of which one in so many is called."""
    path = corpus / "openapi" / name
    document: Any = parse(path.read_text("utf-8"), path.name).value
    import_run = imported(read_source(str(path)), tmp_path / "spec.yaml", [pattern], [])
    project = generate(import_run.path, tmp_path / "project")
    spec = import_run.source.spec
    tools = spec["tools"][::step]
    answered = [(tool, answer) for tool in tools if (answer := response(tool))]
    assert len(answered) > 0.8 * len(tools)
    env = {variable["name"]: "a:b" for variable in spec["env"] if variable.get("secret")}
    with serving() as api:
        env[spec["api"]["url"]["env"]] = api.url
        with StdioClient(project, MODERN, check, **env) as client:
            for tool, answer in answered:
                for arguments in sendable(tool, fitting_objects(tool["inputSchema"], 2)):
                    api.answers(*answer)
                    result = client.call(tool["name"], **arguments)["result"]
                    assert not result.get("isError"), (tool["name"], arguments, result)
                    (seen,) = api.seen
                    check_request(seen, tool, document)
    assert client.process.returncode == 0, client.log
    assert client.faults == []
    assert "Traceback" not in client.log


def check_request(seen: Seen, tool: dict[str, Any], document: dict[str, Any]) -> None:
    """A request is one of the tool's operation, with parameters and a body that this has."""
    assert seen.method == tool["handler"]["http"]["method"]
    operation = operation_of(document, seen)
    known = {item["name"] for item in operation["parameters"] if item["in"] == "query"}
    assert {name.partition("[")[0] for name, _ in seen.query} <= known
    if seen.body:
        kind = seen.headers["content-type"].partition(";")[0]
        body = resolved(document, operation["requestBody"])
        assert any(fnmatch(kind, item.partition(";")[0]) for item in body["content"])


def sendable(tool: dict[str, Any], examples: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Arguments whose texts can stand in paths and headers."""
    http = tool["handler"]["http"]
    headers = {each.get("argument", each["name"]) for each in http.get("parameters", ())}
    path = {name for name in tool["inputSchema"]["properties"] if f"{{{name}}}" in http["path"]}

    def changed(name: str, value: Any) -> Any:
        if name in path and value in ("", ".", "..", [], [""], {}):
            return ["x"] if isinstance(value, list) else {"x": 1} if value == {} else "x"
        if name in headers and isinstance(value, str) and not value.isprintable():
            return "x"
        return value

    return [{name: changed(name, value) for name, value in each.items()} for each in examples]


def response(tool: dict[str, Any]) -> tuple[int, bytes] | None:
    """A response that the operation of a tool may give, or None where the search is in vain."""
    if tool["handler"]["http"].get("response", {}).get("redirect"):
        return 302, b""
    if "outputSchema" not in tool:
        return 200, b"done"
    key = tool["handler"]["http"].get("response", {}).get("property")
    values = fitting_objects(tool["outputSchema"], 1)
    if not values:
        return None
    [value, *_] = values
    if key and key not in value:
        return 204, b""
    return 200, json.dumps(value[key] if key else value).encode()
