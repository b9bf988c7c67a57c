"""Edits of a tool, each with the ids of all that should be found."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from jsonschema_rs import validator_for

Tool = dict[str, Any]
Edit = tuple[str, str, Tool]
"""What is done, the id of what should be found, and the new schema; an id may be empty."""

FEW = 3
"""The arguments of one tool that are edited."""


def edits(tool: Tool) -> Iterator[tuple[str, Tool, set[str]]]:
    """Yield what was done, the edited tool, and the ids that should be found."""
    new = f"{tool['name'][:50]}_x"
    yield "renamed", {**tool, "name": new, "renamedFrom": tool["name"]}, {"tool-renamed"}
    yield "described", {**tool, "description": "In other words."}, {"description-changed"}
    for key, variants in (("inputSchema", of_arguments), ("outputSchema", of_result)):
        for name, expected, schema in variants(tool.get(key, {})):
            edited = deepcopy({**tool, key: schema})
            ids = {expected} - {"", "default-changed"}
            yield name, edited, ids | other_defaults(tool, edited)


def other_defaults(old: Tool, new: Tool) -> set[str]:
    """The id for a call that gets another value for an argument that it leaves out."""
    before, now = (
        {name: filled_in(tool["inputSchema"], name) for name in tool["inputSchema"].get("properties", {})}
        for tool in (old, new)
    )  # fmt: skip
    required = {*old["inputSchema"].get("required", []), *new["inputSchema"].get("required", [])}
    names = before.keys() & now.keys() - required
    return {"default-changed"} if any(before[name] != now[name] for name in names) else set()


def filled_in(schema: Tool, name: str) -> Any:
    """The default that servers fill in, if the argument allows it and it is not null."""
    rule = schema["properties"][name]
    if not isinstance(rule, dict) or rule.get("default") is None:
        return None
    known: Tool = {key: schema[key] for key in ("$schema", "$defs", "definitions") if key in schema}
    alone = validator_for({**known, "properties": {name: rule}}, validate_formats=True)
    return [rule["default"]] if alone.is_valid({name: rule["default"]}) else None


def of_arguments(schema: Tool) -> Iterator[Edit]:
    if "$ref" in schema:
        return
    rules, required = schema.get("properties", {}), schema.get("required", [])
    more = {**rules, "zz_new": {"type": "string"}}
    needed = {**schema, "properties": more, "required": [*required, "zz_new"]}
    yield "a required argument more", "argument-required", needed
    if schema.get("additionalProperties", False) is False:
        yield "an argument more", "argument-added", {**schema, "properties": more}
    if "additionalProperties" not in schema:
        closed = {**schema, "additionalProperties": False}
        yield "closed", "argument-narrowed", closed
    elif schema["additionalProperties"] is False:
        opened = {key: value for key, value in schema.items() if key != "additionalProperties"}
        yield "opened", "", opened
    if rules:
        names = dict(reversed(rules.items()))
        yield "in another order", "", {**schema, "properties": names}
    for name, rule in [*rules.items()][:FEW]:
        if not isinstance(rule, dict):
            continue
        left = {key: value for key, value in rules.items() if key != name}
        others = [other for other in required if other != name]
        gone = {**schema, "properties": left, "required": others}
        yield f"{name} removed", "argument-removed", gone
        if name in required:
            yield f"{name} optional", "", {**schema, "required": others}
        else:
            needed = {**schema, "required": [*required, name]}
            yield f"{name} required", "argument-required", needed
        for what, expected, new in of_argument(rule):
            yield f"{name} {what}", expected, {**schema, "properties": {**rules, name: new}}


def of_argument(rule: Tool) -> Iterator[Edit]:
    narrowed, widened = "argument-narrowed", ""
    texts: Tool = {key: rule[key] for key in ("title", "description", "default") if key in rule}
    rest: Tool = {key: value for key, value in rule.items() if key not in texts}
    yield "in allOf", "", {**texts, "allOf": [rest]}
    yield "described", "description-changed", {**rule, "description": "Other."}
    if "$ref" not in rule:  # its texts would be others
        yield "in anyOf", "", {**texts, "anyOf": [rest]}
        yield "never", narrowed, {**texts, "not": True}
    default = "other" if rule.get("default") != "other" else "another"
    yield "with a default", "default-changed", {**rule, "default": default}
    kind, enum = rule.get("type"), rule.get("enum")
    if kind and "null" not in kind and enum is None and "const" not in rule:
        kinds = [kind] if isinstance(kind, str) else kind
        yield "or null", widened, {**rule, "type": [*kinds, "null"]}
    if enum and kind in (None, "string"):
        yield "with a value more", widened, {**rule, "enum": [*enum, "zz-new"]}
        if kind and len({*enum}) > 1:
            yield "with a value less", narrowed, {**rule, "enum": enum[1:]}
    elif kind == "string" and not {*rest} - {"type", "minLength"}:
        yield "shorter", narrowed, {**rule, "maxLength": rest.get("minLength", 0) + 3}
        yield "by pattern", narrowed, {**rule, "pattern": "^[a-z]{2}$"}
        yield "by format", narrowed, {**rule, "format": "date"}
        yield "a number", narrowed, {**texts, "type": "number"}
    elif kind in ("integer", "number") and not {*rest} - {"type", "minimum", "maximum"}:
        for key, step in (("minimum", 1), ("maximum", -1)):
            if key in rest:
                yield f"{key} inside", narrowed, {**rule, key: rest[key] + step}
                yield f"{key} outside", widened, {**rule, key: rest[key] - step}
        if kind == "number":
            yield "whole", narrowed, {**rule, "type": "integer"}
        elif not {*rest} - {"type"}:
            yield "any number", widened, {**rule, "type": "number"}
            yield "even", narrowed, {**rule, "multipleOf": 2}
    elif kind == "array" and not {*rest} - {"type", "items"}:
        yield "with few", narrowed, {**rule, "maxItems": 1}
        yield "of different", narrowed, {**rule, "uniqueItems": True}
        yield "of nothing", narrowed, {**rule, "items": False}


def of_result(schema: Tool) -> Iterator[Edit]:
    rules = schema.get("properties", {})
    for name in schema.get("required", [])[:FEW]:
        fewer = [other for other in schema["required"] if other != name]
        yield f"{name} not always", "result-field-lost", {**schema, "required": fewer}
    for name, rule in [*rules.items()][:FEW]:
        kind = rule.get("type") if isinstance(rule, dict) else None
        if isinstance(kind, str) and kind != "null" and not {"enum", "const"} & {*rule}:
            wider = {**rules, name: {**rule, "type": [kind, "null"]}}
            yield f"{name} or null", "result-widened", {**schema, "properties": wider}
