"""Edits of a tool, each with the ids of all that should be found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from jsonschema_rs import validator_for

Tool = dict[str, Any]

FEW = 3
"""The arguments of one tool that are edited."""


def edits(tool: Tool) -> Iterator[tuple[str, Tool, set[str]]]:
    """Yield what was done, the edited tool, and the ids that should be found."""
    for name, expected, edit in [*_of_tool(tool), *_of_arguments(tool), *_of_result(tool)]:
        edited = deepcopy(tool)
        edit(edited)
        changed = {"default-changed"} if has_other_defaults(tool, edited) else set()
        yield name, edited, (expected - {"default-changed"}) | changed


def has_other_defaults(old: Tool, new: Tool) -> bool:
    """Whether a call without an argument that both tools have gets another value for it."""
    before, now = (
        {
            name: filled_in(tool["inputSchema"], name)
            for name in tool["inputSchema"].get("properties", {})
        }
        for tool in (old, new)
    )
    required = {*old["inputSchema"].get("required", []), *new["inputSchema"].get("required", [])}
    return any(before[name] != now[name] for name in before.keys() & now.keys() - required)


def filled_in(schema: Tool, name: str) -> Any:
    """The default that servers fill in: null, or one that the argument allows."""
    rule = schema["properties"][name]
    if not isinstance(rule, dict) or rule.get("default") is None:
        return "null" if isinstance(rule, dict) and "default" in rule else None
    known: Tool = {key: schema[key] for key in ("$schema", "$defs", "definitions") if key in schema}
    alone = validator_for({**known, "properties": {name: rule}}, validate_formats=True)
    return [rule["default"]] if alone.is_valid({name: rule["default"]}) else None


Edit = tuple[str, set[str], Callable[[Tool], Any]]


def _of_tool(tool: Tool) -> Iterator[Edit]:
    new = f"{tool['name'][:50]}_x"
    yield "renamed", {"tool-renamed"}, lambda t: t.update(name=new, renamedFrom=tool["name"])
    yield "described", {"description-changed"}, lambda t: t.update(description="In other words.")
    hints = tool.get("annotations", {})
    raised, lowered = {"safety-raised"}, {"safety-lowered"}
    for key, default, safe in (
        ("readOnlyHint", False, True),
        ("destructiveHint", True, False),
        ("idempotentHint", False, True),
        ("openWorldHint", True, False),
    ):
        now = not hints.get(key, default)
        expected = raised if now == safe else lowered
        yield key, expected, _given("annotations", {**hints, key: now})


def _given(key: str, value: Any) -> Callable[[Tool], Any]:
    return lambda tool: tool.update({key: value})


def _of_arguments(tool: Tool) -> Iterator[Edit]:
    schema = tool["inputSchema"]
    if "$ref" in schema:
        return
    rules = schema.get("properties", {})
    required = schema.get("required", [])

    def inside(t: Tool) -> Any:
        return t["inputSchema"]

    def put(name: str, rule: Any) -> Callable[[Tool], Any]:
        return lambda t: inside(t).setdefault("properties", {}).update({name: rule})

    def need(t: Tool) -> None:
        put("zz_new", {"type": "string"})(t)
        inside(t)["required"] = [*required, "zz_new"]

    is_closed = schema.get("additionalProperties") is False
    is_free = schema.get("additionalProperties", False) not in (False,)
    yield "a required argument more", {"argument-required"}, need
    if not is_free:
        yield "an argument more", {"argument-added"}, put("zz_new", {"type": "string"})
    if "additionalProperties" not in schema:
        closed = {"argument-narrowed"}
        yield "closed", closed, lambda t: inside(t).update(additionalProperties=False)
    if is_closed:
        yield "opened", {"argument-widened"}, lambda t: inside(t).pop("additionalProperties")
    if rules:
        names = dict(reversed(rules.items()))
        yield "in another order", set(), lambda t: inside(t).update(properties=names)
    for name, rule in [*rules.items()][:FEW]:
        if not isinstance(rule, dict):
            continue
        yield from _of_argument(name, rule, name in required, put, inside)


def _of_argument(name: str, rule: Tool, is_required: bool, put: Any, inside: Any) -> Iterator[Edit]:
    def remove(t: Tool) -> None:
        del inside(t)["properties"][name]
        inside(t)["required"] = [n for n in inside(t).get("required", []) if n != name]

    yield f"{name} removed", {"argument-removed"}, remove
    if is_required:
        optional = {"argument-widened"}
        yield f"{name} optional", optional, lambda t: inside(t)["required"].remove(name)
    else:
        needed = {"argument-required"}
        yield (
            f"{name} required",
            needed,
            lambda t: inside(t).setdefault("required", []).append(name),
        )
    narrowed, widened = {"argument-narrowed"}, {"argument-widened"}
    said: Tool = {key: rule[key] for key in ("title", "description", "default") if key in rule}
    rest: Tool = {key: value for key, value in rule.items() if key not in said}
    yield f"{name} in allOf", set(), put(name, {**said, "allOf": [rest]})
    yield f"{name} described", {"description-changed"}, put(name, {**rule, "description": "Other."})
    if "$ref" not in rule:  # its texts would be others
        yield f"{name} in anyOf", set(), put(name, {**said, "anyOf": [rest]})
        yield f"{name} never", narrowed, put(name, {**said, "not": True})
    default = "other" if rule.get("default") != "other" else "another"
    yield f"{name} with a default", {"default-changed"}, put(name, {**rule, "default": default})
    kind = rule.get("type")
    if kind and "null" not in kind and "enum" not in rule and "const" not in rule:
        kinds = [kind] if isinstance(kind, str) else kind
        yield f"{name} or null", widened, put(name, {**rule, "type": [*kinds, "null"]})
    if enum := rule.get("enum"):
        if kind in (None, "string"):
            more = [*enum, "zz-new"]
            yield f"{name} with a value more", widened, put(name, {**rule, "enum": more})
        if kind == "string" and len({*enum}) > 1:
            yield f"{name} with a value less", narrowed, put(name, {**rule, "enum": enum[1:]})
    elif kind == "string" and not {*rest} - {"type", "minLength"}:
        least = rest.get("minLength", 0)
        yield f"{name} shorter", narrowed, put(name, {**rule, "maxLength": least + 3})
        yield f"{name} by pattern", narrowed, put(name, {**rule, "pattern": "^[a-z]{2}$"})
        yield f"{name} by format", narrowed, put(name, {**rule, "format": "date"})
        yield f"{name} a number", narrowed, put(name, {**said, "type": "number"})
    elif kind in ("integer", "number") and not {*rest} - {"type", "minimum", "maximum"}:
        if "minimum" in rest:
            yield (
                f"{name} from higher",
                narrowed,
                put(name, {**rule, "minimum": rest["minimum"] + 1}),
            )
            yield f"{name} from lower", widened, put(name, {**rule, "minimum": rest["minimum"] - 1})
        if "maximum" in rest:
            yield f"{name} to lower", narrowed, put(name, {**rule, "maximum": rest["maximum"] - 1})
            yield f"{name} to higher", widened, put(name, {**rule, "maximum": rest["maximum"] + 1})
        if kind == "number":
            yield f"{name} whole", narrowed, put(name, {**rule, "type": "integer"})
        elif "maximum" not in rest and "minimum" not in rest:
            yield f"{name} any number", widened, put(name, {**rule, "type": "number"})
            yield f"{name} even", narrowed, put(name, {**rule, "multipleOf": 2})
    elif kind == "array" and not {*rest} - {"type", "items"}:
        yield f"{name} with few", narrowed, put(name, {**rule, "maxItems": 1})
        yield f"{name} of different", narrowed, put(name, {**rule, "uniqueItems": True})
        yield f"{name} of nothing", narrowed, put(name, {**rule, "items": False})


def _of_result(tool: Tool) -> Iterator[Edit]:
    schema = tool.get("outputSchema")
    if schema is None:
        made = {"type": "object", "properties": {"n": {"type": "integer"}}}
        yield "a result", {"output-schema-added"}, lambda t: t.update(outputSchema=made)
        return
    yield "no result", {"output-schema-removed"}, lambda t: t.pop("outputSchema")
    rules = schema.get("properties", {})
    for name in schema.get("required", [])[:FEW]:
        fewer = [one for one in schema["required"] if one != name]
        edit = _given("outputSchema", {**schema, "required": fewer})
        yield f"{name} not always", {"result-field-lost"}, edit
    for name, rule in [*rules.items()][:FEW]:
        kind = rule.get("type") if isinstance(rule, dict) else None
        if isinstance(kind, str) and kind != "null" and not {"enum", "const"} & {*rule}:
            made = {**rules, name: {**rule, "type": [kind, "null"]}}
            edit = _given("outputSchema", {**schema, "properties": made})
            yield f"{name} or null", {"result-widened"}, edit
        if kind == "string" and not {*rule} - {"type", "title", "description"}:
            made = {**rules, name: {**rule, "maxLength": 9}}
            edit = _given("outputSchema", {**schema, "properties": made})
            yield f"{name} shorter", {"result-narrowed"}, edit
