"""Where a document departs from the format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema_rs import Draft202012Validator

from scaffold.spec.document import Document
from scaffold.spec.finding import Finding
from scaffold.spec.mismatch import mismatches
from scaffold.spec.schema import json_schema


def shape_faults(document: Document) -> Iterator[Finding]:
    """Missing and unknown keys, and values of the wrong kind, each as it is found.

    The engine finds all faults of a value before it tells the first, which takes long where there
    are many: so the entries of the lists are checked one by one.
    """
    schema = json_schema()
    value: Any = document.value
    engine = Draft202012Validator(schema, offline=True)
    if engine.is_valid(value):
        return
    lists: dict[str, Any] = {}
    whole = value
    if isinstance(value, dict):
        lists = {
            key: rules["items"]
            for key, rules in schema["properties"].items()
            if "$ref" in rules.get("items", ()) and isinstance(value.get(key), list)
        }
        value = {key: [] if key in lists else part for key, part in value.items()}
    yield from mismatches(engine, schema, value, "", document)
    for key, item_schema in lists.items():
        engine = Draft202012Validator({**item_schema, "$defs": schema["$defs"]}, offline=True)
        for number, item in enumerate(whole[key]):
            yield from mismatches(engine, schema, item, f"/{key}/{number}", document)
