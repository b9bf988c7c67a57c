"""The JSON-Schema-Test-Suite into tools that take one argument, each of another schema."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

DIALECTS = {
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
    "draft7": "http://json-schema.org/draft-07/schema#",
}
"""What each folder of the suite is written in, as `$schema` has it."""

PROPERTY = "value"
"""The argument that has the schema of the suite."""

FETCHES = {
    "refRemote: ": "remote-reference",
    "dynamicRef: strict-tree schema, guards against misspelled properties": "remote-reference",
    "dynamicRef: tests for implementation dynamic anchor and reference link": "remote-reference",
    "dynamicRef: $ref and $dynamicAnchor are independent of order": "remote-reference",
    "dynamicRef: $ref to $dynamicRef finds detached $dynamicAnchor": "remote-reference",
    "vocabulary: schema that uses custom metaschema": "unknown-dialect",
    "vocabulary: ignore unrecognized optional vocabulary": "unknown-dialect",
}
"""How the names of the schemas begin that need one which lies elsewhere, and what refuses them."""

INSTANCES = frozenset({"const", "enum", "default", "examples"})
"""Keywords under which nothing is a schema."""


@dataclass(frozen=True)
class Case:
    """A schema of the suite as that of a tool's argument, and values with the right verdict.

    `name` is `file: description`, and how the references were kept where there are two ways.
    """

    number: int
    name: str
    schema: Any
    tests: tuple[tuple[Any, bool], ...]
    dialect: str

    @property
    def fetches(self) -> str | None:
        """What refuses the schema, if it needs another one that would have to be fetched."""
        return next((id for start, id in FETCHES.items() if self.name.startswith(start)), None)

    @property
    def tool(self) -> dict[str, Any]:
        return {
            "name": f"case-{self.number}",
            "description": self.name,
            "inputSchema": {
                "$schema": self.dialect,
                "type": "object",
                "properties": {PROPERTY: self.schema},
                "required": [PROPERTY],
            },
        }


ASSERTED = ("content.json", "format.json")
"""Files that say of 2020-12 and draft-07 what an engine does that leaves formats alone."""


def cases(suite: Path, draft: str) -> Iterator[Case]:
    """Every schema of a draft that is required or of a format, those with references in two ways."""
    numbers = count()
    required = sorted((suite / draft / "required").glob("*.json"))
    formats = sorted((suite / draft / "optional-format").glob("*.json"))
    for path in [*(path for path in required if path.name not in ASSERTED), *formats]:
        for group in json.loads(path.read_bytes()):
            tests = tuple((test["data"], test["valid"]) for test in group["tests"])
            for way, schema in embedded(group["schema"], DIALECTS[draft]).items():
                name = f"{path.stem}: {group['description']}{way}"
                yield Case(next(numbers), name, schema, tests, DIALECTS[draft])


def spec_of(cases: Iterable[Case], name: str) -> dict[str, Any]:
    """The spec of a server with a tool for each case."""
    return {"name": name, "version": "1", "tools": [case.tool for case in cases]}


def embedded(schema: Any, dialect: str) -> dict[str, Any]:
    """A schema as one that can stand inside another, and mean the same: in which way, to how.

    One with a URI of its own stays as it is. One without, whose references are relative to it, is
    given a URI, or its references are made relative to what it stands in.
    """
    if not isinstance(schema, dict):
        return {"": schema}
    schema = {key: value for key, value in schema.items() if (key, value) != ("$schema", dialect)}
    pointers = rewritten(schema)
    if pointers == schema:
        return {"": schema}
    ways = {" (by pointer)": pointers}
    if "draft-07" not in dialect or "$ref" not in schema:  # beside which draft-07 sees no `$id`
        ways[" (by $id)"] = {"$id": "https://example.com/case", **schema}
    return ways


def rewritten(schema: Any) -> Any:
    """A schema whose references into itself lead into the argument of the tool."""
    if isinstance(schema, list):
        return [rewritten(item) for item in schema]
    if not isinstance(schema, Mapping) or is_resource(schema):
        return schema
    return {
        key: f"#/properties/{PROPERTY}{value[1:]}"
        if key in ("$ref", "$dynamicRef") and isinstance(value, str) and value[:2] in ("#", "#/")
        else value
        if key in INSTANCES
        else rewritten(value)
        for key, value in schema.items()
    }


def is_resource(schema: Mapping[str, Any]) -> bool:
    """Whether references inside are relative to a URI of its own."""
    identifier = schema.get("$id")
    return isinstance(identifier, str) and not identifier.startswith("#")
