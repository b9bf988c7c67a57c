"""The format's schema, the documentation of the ids, and what a Spec holds."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs

import scaffold
from scaffold.base.diagnostics.explain import sections, warnings
from scaffold.format.entries import unsent
from scaffold.format.schema import json_schema, schema_text
from scaffold.format.spec import Prompt, Resource, ResourceTemplate, Tool

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(scaffold.__file__).parent
MADE_BY = (
    "Diagnostic",
    "Finding",
    "ScaffoldError.of",
    "failure",
    "_conflict",
    "_fault",
    "_replace",
)
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")


def test_the_published_schema_is_the_one_used_for_validation() -> None:
    published = (ROOT / "specs" / "mcp-scaffold.schema.json").read_text(encoding="utf-8")
    assert published == schema_text()
    jsonschema_rs.meta.validate(json_schema())


def test_every_key_of_the_format_is_described_for_editors() -> None:
    def silent(schema: object, at: str = "#") -> list[str]:
        pointers = []
        if isinstance(schema, list):
            pointers = [f for item in schema for f in silent(item, at)]
        elif isinstance(schema, dict):
            properties = schema.get("properties", {})
            for key, about in properties.items():
                target = about
                if set(about) == {"$ref"}:
                    target = json_schema()["definitions"][about["$ref"].rpartition("/")[2]]
                if "description" not in target and about != {"const": "object"}:
                    pointers.append(f"{at}/{key}")
            pointers += [f for key, inner in schema.items() for f in silent(inner, f"{at}/{key}")]
        return pointers

    assert silent(json_schema()) == []


def patterned(schema: object) -> Iterator[dict[str, Any]]:
    """Yield the schemas of texts that must match a pattern."""
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema
        for part in schema.values():
            yield from patterned(part)


def test_every_pattern_has_a_title_and_an_error_message() -> None:
    schemas = list(patterned(json_schema()))
    assert len(schemas) > 20
    for schema in schemas:
        assert {"title", "patternErrorMessage"} <= schema.keys(), schema


def test_a_key_that_is_not_sent_is_described_as_such() -> None:
    for model in (Tool, Resource, ResourceTemplate, Prompt):
        for key, about in json_schema()["definitions"][model.__name__]["properties"].items():
            assert (key in unsent(model)) == ("Not sent" in about["description"]), key
    assert unsent(Tool) == {
        *("ui", "errors", "scopes", "timeout", "task", "examples", "handler", "renamedFrom"),
    }


def ids_in_the_code() -> set[str]:
    """The literals given as the id of a Diagnostic or a Finding."""
    given: set[object] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(MADE_BY):
                arguments = [*node.args[:4], *(k.value for k in node.keywords if k.arg == "id")]
                given |= {a.value for a in arguments if isinstance(a, ast.Constant)}
    ids = {text for text in given if isinstance(text, str) and ID.fullmatch(text)}
    return ids | {
        f"bad-{text['title'].replace(' ', '-')}".lower() for text in patterned(json_schema())
    }


def test_every_id_is_documented() -> None:
    ids = ids_in_the_code()
    assert len(ids) > 60
    assert ids - sections().keys() == set()


def test_every_documented_id_of_the_intake_is_used() -> None:
    used = "".join(p.read_text(encoding="utf-8") for p in PACKAGE.rglob("*.py"))
    templated = ids_in_the_code()
    assert [id for id in sections() if f'"{id}"' not in used and id not in templated] == []


def test_each_id_has_one_meaning() -> None:
    text = (PACKAGE / "base/diagnostics/diagnostics.md").read_text("utf-8")
    ids = re.findall(r"^### (.*)$", text, re.MULTILINE)
    assert [id for id in {*ids} if ids.count(id) > 1] == []


def test_an_explanation_says_first_whether_it_is_an_error_or_a_warning() -> None:
    for id, text in sections().items():
        assert text.startswith(("*Error", "*Warning", "*Note of `")), id
        assert len(text) > 30, id
    assert "unknown-type" in sections()
    assert "long-name" in warnings()
    assert "unknown-type" not in warnings()
