"""Compare what clients get to see of an entry apart from what other rules are about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scaffold.breaking.change import Change
from scaffold.breaking.rules import made
from scaffold.diagnostics.wording import quote
from scaffold.spec.format import Entry

_COMPARED = frozenset({
    "title", "description", "inputSchema", "outputSchema", "execution", "arguments",
    "uri", "uriTemplate", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint",
})  # fmt: skip
"""The keys of entries and their annotations that other rules are about."""


def listing_changes(old: Entry, new: Entry, kind: str, subject: str) -> Iterator[Change]:
    """Yield a note if other keys of an entry changed."""
    before, now = _others(old), _others(new)
    keys = [key for key in {**before, **now} if before.get(key) != now.get(key)]
    if before.get("mimeType"):  # another rule is about it
        keys = [key for key in keys if key != "mimeType"]
    if keys:
        at = f"{new.pointer}/{keys[0]}" if keys[0] in new.wire else new.pointer
        message = f"{kind} {quote(subject)} has other {' and '.join(map(quote, keys))}"
        yield made("metadata-changed", kind, subject, at, message)


def _others(entry: Entry) -> dict[str, Any]:
    named = {"name"} if entry.identifier == "name" else set()
    found = {k: v for k, v in entry.wire.items() if k not in _COMPARED | named}
    if isinstance(annotations := found.pop("annotations", None), dict):
        rest = {k: v for k, v in annotations.items() if k not in _COMPARED or k == "title"}
        found |= {"annotations": rest} if rest else {}
    return found
