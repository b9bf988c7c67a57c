"""OpenAPI documents that stand for ever larger ones become a spec within bounds."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.commands.importing import Imported, imported
from scaffold.sources.read import read_source
from tests.generated import generate
from tests.raw_client import MODERN, StdioClient

COMMAND = Path(sys.executable).with_name("mcp-scaffold")
OK: dict[str, Any] = {"200": {"description": "Fine"}}


def document(paths: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths, **more}


def of_schema(schema: Any, **schemas: Any) -> dict[str, Any]:
    """A document whose operation takes and returns values of a schema."""
    content = {"application/json": {"schema": schema}}
    operation = {
        "operationId": "run",
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "Fine", "content": content}},
    }
    return document({"/run": {"post": operation}}, components={"schemas": schemas})


def made(folder: Path, value: object, *include: str) -> Imported:
    source = folder / "api.json"
    source.write_text(json.dumps(value))
    return imported(read_source(str(source)), folder / "spec.yaml", include, [])


def tools(found: Imported) -> dict[str, Any]:
    return {tool["name"]: tool for tool in found.source.spec["tools"]}


def nested(depth: int) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


REF = "#/components/schemas/"
DOUBLED = {f"S{n}": {"allOf": [{"$ref": f"{REF}S{n + 1}"}] * 2} for n in range(40)} | {"S40": {}}
WIDE = {
    f"W{n}": {"type": "object", "properties": {f"p{i}": {"$ref": f"{REF}W{i}"} for i in range(60)}}
    for n in range(60)
}
FANNED = {
    f"F{n}": {
        "allOf": [{"$ref": f"{REF}F{n + 1}"}] * 30,
        "anyOf": [{"$ref": f"{REF}F{n + 1}"}] * 30,
    }
    for n in range(20)
} | {"F20": {"type": "object"}}
BOMBS: dict[str, Any] = {
    "two that refer to each other": of_schema(
        {"type": "array", "items": {"$ref": f"{REF}A"}},
        A={"items": {"$ref": f"{REF}B"}},
        B={"items": {"$ref": f"{REF}A"}},
    ),
    "a bomb of references": of_schema({"$ref": f"{REF}S0"}, **DOUBLED),
    "a wide bomb of references": of_schema({"$ref": f"{REF}F0"}, **FANNED),
    "a wide bomb in a form": json.loads(
        json.dumps(of_schema({"$ref": f"{REF}F0"}, **FANNED)).replace(
            "application/json", "multipart/form-data"
        )
    ),
    "all refer to all": of_schema({"$ref": f"{REF}W0"}, **WIDE),
    "deep": of_schema(nested(90)),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_document_that_stands_for_a_larger_one_becomes_a_spec_or_an_error(
    name: str, tmp_path: Path
) -> None:
    try:
        found = made(tmp_path, BOMBS[name])
    except ScaffoldError:
        assert not (tmp_path / "spec.yaml").exists()
    else:
        assert [*tools(found)] == ["run"]
        assert len(found.path.read_text()) < 1_000_000


@pytest.mark.usefixtures("starts_programs")
def test_a_document_without_a_host_makes_a_server_that_says_so(tmp_path: Path) -> None:
    found = made(tmp_path, document({"/a": {"get": {"operationId": "a", "responses": OK}}}))
    project = generate(found.path, tmp_path / "project")
    with StdioClient(project, MODERN, lambda version, message, method: []) as client:
        result = client.call("a")["result"]
    assert result["content"][0]["text"] == "T_URL is not set"


def test_a_large_document_is_read_within_bounds(tmp_path: Path) -> None:
    """Hundreds of operations with large schemas take a limited processor time."""
    large = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(200)}}
    paths = {
        f"/p{n}": {
            "post": {
                "operationId": f"post_{n}",
                "requestBody": {"content": {"application/json": {"schema": {"$ref": f"{REF}L"}}}},
                "responses": OK,
            }
        }
        for n in range(300)
    }
    source = tmp_path / "api.json"
    source.write_text(json.dumps(document(paths, components={"schemas": {"L": large}})))
    done = subprocess.run(
        [COMMAND, "import", str(source), "--include", "*", "-o", "spec.yaml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (120, 120)),
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 2), done.stderr[-500:]
