"""OpenAPI documents that stand for ever larger ones become a spec within bounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.commands.importing import Imported, imported
from scaffold.sources.read import read_source


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
FANNED = {
    f"F{n}": {
        "allOf": [{"$ref": f"{REF}F{n + 1}"}] * 30,
        "anyOf": [{"$ref": f"{REF}F{n + 1}"}] * 30,
    }
    for n in range(20)
} | {"F20": {"type": "object"}}
BOMBS: dict[str, Any] = {
    "a bomb of references": of_schema({"$ref": f"{REF}S0"}, **DOUBLED),
    "a wide bomb of references": of_schema({"$ref": f"{REF}F0"}, **FANNED),
    "a wide bomb in a form": json.loads(
        json.dumps(of_schema({"$ref": f"{REF}F0"}, **FANNED)).replace(
            "application/json", "multipart/form-data"
        )
    ),
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
