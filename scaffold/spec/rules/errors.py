"""Check domain errors: messages must parse, and tools may only use declared errors."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.diagnostics.wording import nearest, quote
from scaffold.spec.draft import Draft
from scaffold.spec.format import Tool
from scaffold.spec.placeholders import BRACES, read_names
from scaffold.yaml.finding import Finding


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield messages with invalid placeholders, and undeclared errors."""
    for error in draft.spec.errors:
        _, broken = read_names(error.message)
        if broken:
            yield Finding(f"{error.pointer}/message", "bad-placeholder", broken, BRACES)
    declared = [error.name for error in draft.spec.errors]
    if "/errors" not in draft.lost:
        for tool in draft.spec.tools:
            yield from _undeclared(tool, declared)


def _undeclared(tool: Tool, declared: list[str]) -> Iterator[Finding]:
    for number, name in enumerate(tool.errors):
        if name not in declared:
            meant = nearest(name, declared)
            yield Finding(
                f"{tool.pointer}/errors/{number}",
                "unknown-error",
                f"{quote(name)} is not one of the `errors` of the spec",
                f"did you mean `{meant}`?"
                if meant
                else f"declare it: `errors: [{{name: {name}, message: …}}]`",
            )
