"""Alternatives of `oneOf`: what tells them apart, if the document says so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations

from scaffold.sources.openapi.document import BrokenError, Document, Part


def mapped(document: Document, part: Part) -> tuple[str, list[list[str]]] | None:
    """Return the property that a `discriminator` names, and its values for each alternative.

    The result is None if its `mapping` leaves an alternative out: implicit values are often wrong.
    """
    about = part.at("discriminator")
    values = {value: str(target.value) for value, target in about.items("mapping")}
    by_branch = [
        [value for value, target in values.items() if _is_of(document, branch, target)]
        for branch in part.list("oneOf")
    ]
    name = about.text("propertyName")
    return (name, by_branch) if name and all(by_branch) else None


def _is_of(document: Document, branch: Part, target: str) -> bool:
    reference = branch.at("$ref").value
    if not isinstance(reference, str):
        return False
    try:
        wanted = target if "#" in target else f"#/components/schemas/{target}"
        return document.target(reference, branch.file) == document.target(wanted, branch.file)
    except BrokenError:
        return False


def are_apart(document: Document, part: Part) -> bool:
    """Return whether no value fits two alternatives: by their types, or by a required property."""
    try:
        branches = [document.followed(branch) for branch in part.list("oneOf")]
    except BrokenError:
        return False
    marks = [{**dict(_marks(document, branch))} for branch in branches]
    common = set[str]().union(*marks).intersection(*marks)
    return any(all(a[key].isdisjoint(b[key]) for a, b in combinations(marks, 2)) for key in common)


def _marks(document: Document, branch: Part) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the types of a schema under an empty name, and all values of required properties."""
    written = branch.at("type").value
    if written is not None:
        types = [str(name) for name in (written if isinstance(written, list) else [written])]
        types += ["null"] if branch.at("nullable").value is True else []
        names = {"integer": "number", "None": "null", "file": "string"}
        yield "", frozenset(names.get(name, name) for name in types)
        if types != ["object"]:
            return
    for name in branch.list("required"):
        schema = branch.at("properties", str(name.value))
        try:
            schema = document.followed(schema)
        except BrokenError:
            continue
        values = [item.value for item in schema.list("enum")]
        if isinstance(schema.value, dict) and "const" in schema.value:
            values = [schema.value["const"]]
        if values and schema.at("nullable").value is not True:
            yield str(name.value), frozenset(json.dumps(value) for value in values)
