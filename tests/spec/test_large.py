"""A schema as large as a hostile author makes it costs no more than it is long."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from scaffold.diagnostics import Diagnostic, ScaffoldError
from scaffold.jsonschema.index import Index
from scaffold.python.naming import with_names
from scaffold.python.types import arguments_of
from scaffold.spec.lint import lint
from scaffold.yaml.source import parse
from tests.checked import check

MANY = range(3000)
SECONDS = 5.0
"""Of the processor; each of these took more than fifteen, most of them a minute and more."""

TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "finding"),
    [
        (
            {
                "properties": {f"p{n}": {"$ref": f"#/$defs/Thnig{n}"} for n in MANY},
                "$defs": {f"Thing{n}": TEXT for n in MANY},
            },
            "dangling-reference",
        ),
        (
            {
                "properties": {f"property_{n}": TEXT for n in MANY},
                "required": [f"porperty_{n}" for n in MANY],
            },
            "undeclared-required",
        ),
        (
            {
                "properties": {
                    "p3000": TEXT,
                    **{f"p{n}": {"$ref": f"#/properties/p{n + 1}"} for n in MANY},
                }
            },
            "undescribed-argument",
        ),
    ],
    ids=["dangling references", "undeclared names", "a chain of references"],
)
def test_faults_are_found_in_little_time(schema: dict[str, Any], finding: str) -> None:
    spec = {
        "name": "large",
        "version": "1.0",
        "tools": [{"name": "find", "inputSchema": {"type": "object", **schema}}],
    }
    started = time.process_time()
    assert finding in {diagnostic.id for diagnostic in said(spec)}
    assert time.process_time() - started < SECONDS


def test_types_are_made_in_little_time() -> None:
    parts = {f"a {n}": {"type": "object", "properties": {"no name": TEXT}} for n in range(1600)}
    started = time.process_time()
    types = arguments_of(Index.of({"type": "object", "properties": parts}), "Find")
    (final,) = with_names([types], {"FindArguments"})
    assert time.process_time() - started < SECONDS
    assert len(types.definitions) == 1601
    assert len(final.definitions) == 1601


def said(spec: dict[str, Any]) -> tuple[Diagnostic, ...]:
    """The errors of a spec, or the warnings about it."""
    try:
        document = parse(json.dumps(spec))
        return lint(check(document), document)
    except ScaffoldError as error:
        return error.diagnostics
