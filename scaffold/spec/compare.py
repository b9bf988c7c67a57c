"""Two specs of one server into what the edit between them means for those who write handlers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scaffold.spec.model import Entry, JsonObject, Prompt, Spec, Tool


class Change(StrEnum):
    """What has become of an entry of the spec."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Consequence:
    """What an edit of the spec means for one handler.

    `kind` is `tool`, `resource`, `resource template` or `prompt`; `details` say what changed in its
    arguments and its result, such as `+ language (required string)` or `top_k: maximum 20 → 50`.
    """

    kind: str
    name: str
    change: Change
    details: tuple[str, ...] = ()
    before: str | None = None
    """The name that it had, if it was renamed."""


def compare(old: Spec, new: Spec) -> tuple[Consequence, ...]:
    """Every handler that is added, removed, renamed, or given other arguments, kind by kind."""
    return tuple(
        consequence
        for kind, before, after in (
            ("tool", old.tools, new.tools),
            ("resource", handled(old.resources), handled(new.resources)),
            ("resource template", old.resource_templates, new.resource_templates),
            ("prompt", handled(old.prompts), handled(new.prompts)),
        )
        for consequence in _compared(kind, before, after)
    )


def handled(entries: Sequence[Any]) -> list[Any]:
    """Those of some resources or prompts that have a handler."""
    return [entry for entry in entries if not entry.is_static]


def _compared(kind: str, old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[Consequence]:
    left = {entry.name: entry for entry in old}
    for entry in new:
        name = entry.name if entry.name in left else entry.renamed_from or entry.name
        before = left.pop(name, None)
        if before is None:
            yield Consequence(kind, entry.name, Change.ADDED)
            continue
        details = tuple(_details(before, entry))
        if before.name != entry.name:
            yield Consequence(kind, entry.name, Change.RENAMED, details, before.name)
        elif details:
            yield Consequence(kind, entry.name, Change.CHANGED, details)
    yield from (Consequence(kind, name, Change.REMOVED) for name in left)


def _details(old: Entry, new: Entry) -> Iterator[str]:
    match old, new:
        case Tool(), Tool():
            yield from _properties(old.input_schema, new.input_schema)
            before, after = old.output_schema or {}, new.output_schema or {}
            if old.output_schema is None or new.output_schema is None:
                if before != after:
                    yield f"{'+' if after else '-'} result"
            else:
                yield from (f"result: {detail}" for detail in _properties(before, after))
        case Prompt(), Prompt():
            yield from _properties(_arguments(old), _arguments(new))


def _arguments(prompt: Prompt) -> JsonObject:
    return {
        "properties": {argument.name: {"type": "string"} for argument in prompt.arguments},
        "required": [argument.name for argument in prompt.arguments if argument.required],
    }


def _properties(old: JsonObject, new: JsonObject) -> Iterator[str]:
    """What changed between two object schemas: property by property, then the rest."""
    before, after = old.get("properties", {}), new.get("properties", {})
    for name in [*after, *(name for name in before if name not in after)]:
        needed = [name in schema.get("required", ()) for schema in (old, new)]
        if name not in before:
            yield f"+ {name} ({_words(after[name], needed[1])})"
        elif name not in after:
            yield f"- {name}"
        else:
            details = [*_keywords(before[name], after[name])]
            if needed[0] != needed[1]:
                details.append("required" if needed[1] else "optional")
            if details:
                yield f"{name}: {', '.join(details)}"
    rest = [
        {key: value for key, value in schema.items() if key not in ("properties", "required")}
        for schema in (old, new)
    ]
    yield from _keywords(*rest)


def _keywords(old: Any, new: Any) -> Iterator[str]:
    """What changed between two schemas, keyword by keyword; descriptions do not matter here."""
    if not (isinstance(old, Mapping) and isinstance(new, Mapping)):
        if old != new:
            yield f"{_json(old)} → {_json(new)}"
        return
    for keyword in dict.fromkeys((*old, *new)):
        if keyword in ("description", "title", "examples") or old.get(keyword) == new.get(keyword):
            continue
        if keyword not in old:
            yield f"+ {keyword} {_json(new[keyword])}"
        elif keyword not in new:
            yield f"- {keyword}"
        else:
            yield f"{keyword} {_json(old[keyword])} → {_json(new[keyword])}"


def _words(schema: Any, required: bool) -> str:
    stated = schema.get("type") if isinstance(schema, Mapping) else None
    kind = " or ".join(stated) if isinstance(stated, list) else stated or "any type"
    return f"{'required' if required else 'optional'} {kind}"


def _json(value: object) -> str:
    """A value in a line: strings bare, what is long cut short."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"
