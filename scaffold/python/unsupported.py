"""Refuse what servers without dependencies cannot do, rather than generate half of it."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.diagnostics.wording import quote
from scaffold.jsonschema.check import patterns
from scaffold.jsonschema.index import Index
from scaffold.jsonschema.patterns import problem
from scaffold.python.patterns import limit, refusal
from scaffold.spec.draft import Draft
from scaffold.yaml.finding import Finding

_HINT = "use the pack `python`, or write the handlers by hand"

_DECIDING = {"if", "maxContains", "not", "oneOf"}
"""The keywords by which a value can be valid because it does not fit a schema."""


def unsupported(draft: Draft) -> Iterator[Finding]:
    """Yield a finding for each part of a spec that the pack `python-stdlib` cannot serve."""
    spec = draft.spec
    if spec.upstream:
        message = "the pack `python-stdlib` cannot pass calls on to another MCP server"
        yield Finding("/upstream", "pack-lacks", message, _HINT, at_key=True)
    yield from _patterns(draft)


def _patterns(draft: Draft) -> Iterator[Finding]:
    """Yield a finding for each pattern that Python's `re` cannot search, or not in short time."""
    for tool in draft.spec.tools:
        schemas = (("inputSchema", tool.arguments), ("outputSchema", tool.result))
        for key, index in schemas:
            if index is None:
                continue
            at = f"{tool.pointer}/{key}"
            for where, pattern, at_key in patterns(index, at):
                if problem(pattern):
                    continue
                if trouble := refusal(pattern) or _limited(pattern, at_key, index):
                    message = f"{quote(pattern)}: {trouble[0]}"
                    hint = f"{trouble[1]}; or use the pack `python`"
                    yield Finding(where, "pack-lacks", message, hint, at_key)


def _limited(pattern: str, is_key: bool, index: Index) -> tuple[str, str] | None:
    """Return why a pattern must match long texts as well, and a hint.

    A long text does not match it, and is refused. It may not be accepted for that reason.
    """
    longest = limit(pattern)
    if longest is None:
        return None
    every = [part.keywords for part in index.all.values()]
    is_decided_upon = any(not _DECIDING.isdisjoint(part) for part in every)
    is_short = all(
        isinstance(most := part.get("maxLength"), int) and most <= longest
        for part in every
        if part.get("pattern") == pattern
    )
    if not is_key and (is_short or not is_decided_upon):
        return None
    message = "a search for it in long texts can take Python minutes"
    if is_key:
        return message, "begin it with `^`, and write fewer loops"
    return message, f"write `maxLength: {longest}` beside it"
