"""Checks of a server, which its client script and its tests make."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from scaffold.format.examples import CallExample, FilledExample
from scaffold.format.fields import JsonObject
from scaffold.format.placeholders import Literal, is_text, parts, schema_of
from scaffold.format.spec import Prompt, ResourceTemplate, Spec, Tool
from scaffold.format.story import StoryStep, story

_LISTS = {
    "tools": "tools/list",
    "prompts": "prompts/list",
    "resources": "resources/list",
    "resourceTemplates": "resources/templates/list",
}
_REFUSED = {"isError": True, "text": {"pattern": "^Invalid arguments"}, "expected": "Invalid …"}
_UNKNOWN = {"isError": True, "code": -32601, "expected": "Method not found"}

# The number is last: numeric schemas reject strings, and few others accept numbers.
_ODD_VALUES: tuple[object, ...] = (None, True, [], {}, "", "?", -1.5)


def checks(spec: Spec, catalog: Mapping[str, Any]) -> list[JsonObject]:
    """Return the checks in their order: lists, examples and refusals.

    Each has its `name`, the `method` and `params` of a request, and for reports what is `expected`.
    The answer must be the `list` of the catalog, a `text` or `result` that fits the schema given here,
    or an error with this `code`. `isError` means that the call must fail. The check of an example has
    also `see` (its place in the spec), `answers` (to questions of the server), `needs` (the numbers of
    checks that come first) and `saves` (names by which later examples refer to its result).
    """
    lists = [
        _check(f"lists the {kind}", method, {}, list=kind)
        for kind, method in _LISTS.items()
        if kind in catalog
    ]
    unknown = _check("an unknown method is refused", "no/such/method", {}, **_UNKNOWN)
    return [*lists, *examples(spec, len(lists)), *_refusals(spec), unknown]


def _check(name: str, method: str, params: JsonObject, **expected: Any) -> dict[str, Any]:
    return {"name": name, "method": method, "params": params, **expected}


def _refusals(spec: Spec) -> Iterator[JsonObject]:
    """Yield a check of each tool for which simple arguments are found that its schema rejects."""
    for tool in spec.tools:
        tried: list[JsonObject] = [{}, {"no_such_argument": True}]
        tried += [{part.name: value} for part in tool.arguments.members for value in _ODD_VALUES]
        for arguments in tried:
            if not tool.arguments.validator.is_valid(arguments):
                params = {"name": tool.name, "arguments": arguments}
                yield _check(
                    f"{tool.name} refuses wrong arguments", "tools/call", params, **_REFUSED
                )
                break


def examples(spec: Spec, start: int = 0) -> list[dict[str, Any]]:
    """Return the checks of the examples, in the order of the story; `start` is the first's number."""
    steps, results = (whole := story(spec)).steps, whole.results
    rows = [_example(step, results, spec) for step in steps]
    refers = any(reference.source in results for step in steps for reference in step.references())
    for step, check in zip(steps, rows, strict=True):
        if step.needs:
            check["needs"] = sorted({start + steps.index(need) for need in step.needs.values()})
        if refers and step in results.values():
            check["saves"] = [name for name, saved in results.items() if saved is step]
    return rows


def _example(step: StoryStep, results: Collection[str], spec: Spec) -> dict[str, Any]:
    """Return the check of an example, with the schema of its expected `text` or `result`."""
    entry, example = step.entry, step.example
    match entry:
        case Tool():
            method, params = "tools/call", {"name": entry.name}
        case Prompt():
            method, params = "prompts/get", {"name": entry.name}
        case _:
            key = "uriTemplate" if isinstance(entry, ResourceTemplate) else "uri"
            method, params = "resources/read", {key: entry.about}
    see = f"examples of {entry.about} in mcp.yaml, {example.name}"
    check = _check(f"{entry.about}, {example.name}", method, params, see=see)
    if isinstance(example, CallExample | FilledExample):
        check["params"] = params | {"arguments": dict(example.arguments)}
    if example.is_error:
        check["isError"] = True
    if example.result is not None:
        key = "text" if is_text(example.result) else "result"
        check |= {key: schema_of(example.result, results), "expected": example.result}
    if isinstance(example, CallExample):
        if example.answers:
            check["answers"] = example.answers.model_dump(mode="json", exclude_unset=True)
        if example.domain_error:
            name, fields = example.domain_error
            [text] = [error.message for error in spec.errors if error.name == name]
            text = "".join(
                part.text if isinstance(part, Literal) else f"{fields.get(part.name, '…')}"
                for part in parts(text)
            )
            check |= {"isError": True, "text": schema_of(text, results), "expected": text}
    return check
