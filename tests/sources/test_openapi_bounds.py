"""OpenAPI documents that stand for ever larger ones become a spec within bounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.commands.importing import imported
from scaffold.sources.read import read_source

REF = "#/components/schemas/"


def fanned(depth: int, **keywords: int) -> dict[str, Any]:
    """Schemas that each name the next one, as often as a keyword says."""
    return {
        f"S{n}": {key: [{"$ref": f"{REF}S{n + 1}"}] * often for key, often in keywords.items()}
        for n in range(depth)
    } | {f"S{depth}": {"type": "object"}}


def nested(depth: int) -> Any:
    return {"type": "object", "properties": {"a": nested(depth - 1)}} if depth else {}


JSON, FORM = "application/json", "multipart/form-data"
BOMBS: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "references": (JSON, {"$ref": f"{REF}S0"}, fanned(40, allOf=2)),
    "many references": (JSON, {"$ref": f"{REF}S0"}, fanned(20, allOf=30, anyOf=30)),
    "many references in a form": (FORM, {"$ref": f"{REF}S0"}, fanned(20, allOf=30, anyOf=30)),
    "deep": (JSON, nested(90), {}),
}


@pytest.mark.parametrize("name", BOMBS)
def test_an_expanding_document_becomes_a_spec_or_an_error(name: str, tmp_path: Path) -> None:
    kind, schema, schemas = BOMBS[name]
    content = {kind: {"schema": schema}}
    responses = {"200": {"description": "Fine", "content": content}}
    body = {"required": True, "content": content}
    operation = {"operationId": "run", "requestBody": body, "responses": responses}
    document = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}}
    document |= {"paths": {"/run": {"post": operation}}, "components": {"schemas": schemas}}
    (tmp_path / "api.json").write_text(json.dumps(document))
    spec = tmp_path / "spec.yaml"
    try:
        result = imported(read_source(str(tmp_path / "api.json")), spec, [], [])
    except ScaffoldError:
        assert not spec.exists()
    else:
        assert [tool["name"] for tool in result.source.spec["tools"]] == ["run"]
        assert len(spec.read_text()) < 1_000_000
