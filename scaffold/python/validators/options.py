"""Options of `anyOf` and `oneOf` as rows of a table, by which a value is told its likeliest one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from scaffold.jsonschema.faults import types_of
from scaffold.python.expressions import literal, quoted
from scaffold.python.validators.module import Module
from scaffold.python.validators.node import Node
from scaffold.python.validators.references import followed, is_followed_whole


def row(module: Module, option: Node) -> str:
    """Return the row of an option."""
    if option.is_open:
        module.uses.add("anything")
        return "    Option(anything),"
    target = followed(option)
    is_whole = is_followed_whole(option)
    check = module.check_of(target if is_whole else option)
    schema = target.part.keywords
    marks = marks_of(schema)
    changed = {name: fit for name, fit in _fitting(target, marks).items() if fit != marks[name]}
    names = [quoted(name) for name in schema.get("properties", ())]
    required = [quoted(name) for name in dict.fromkeys(schema.get("required", ()))]
    types = [quoted(name) for name in types_of(dict(schema))] if "type" in schema else []
    given = [check]
    given += [f"types=({', '.join(types)},)"] if types else []
    given += [f"marks={_table(marks)}"] if marks else []
    given += [f"fitting={_table(changed)}"] if changed else []
    given += [f"properties={{{', '.join(names)}}}"] if names else []
    given += [f"required={{{', '.join(required)}}}"] if required else []
    given += ["once=True"] if option.is_recursive else []
    given += [] if is_whole else [f"told={module.check_of(target)}"]
    return f"    Option({', '.join(given)}),"


def marks_of(schema: Mapping[str, Any]) -> dict[str | None, list[Any]]:
    """Return the values by which one knows a schema: of itself, as None, and of its properties."""
    parts: dict[str | None, Any] = {None: schema, **schema.get("properties", {})}
    return {name: values for name, part in parts.items() if (values := _values_of(part))}


def _values_of(schema: Mapping[str, Any] | bool) -> list[Any] | None:
    """Return the values of `const` or `enum`, if any."""
    if isinstance(schema, bool):
        return None
    if "const" in schema:
        return [schema["const"]]
    return schema.get("enum") or None


def _fitting(node: Node, marks: Mapping[str | None, list[Any]]) -> dict[str, list[Any]]:
    """Return the marks of properties without those that other keywords refuse."""
    fitting = {name: values for name, values in marks.items() if name is not None}
    index = node.graph.index
    for part in index.children(node.part, "properties"):
        if part.name in fitting and len(node.at(part).asserting) > 1:
            fitting[part.name] = [*filter(partial(index.accepts, part), fitting[part.name])]
    return fitting


def _table(values: Mapping[Any, object]) -> str:
    rows = (f"{literal(name)}: {literal(items)}" for name, items in values.items())
    return f"{{{', '.join(rows)}}}"
