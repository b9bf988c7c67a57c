"""Check domain errors: messages must parse, and tools may only use declared errors."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.diagnostics.wording import did_you_mean, quote
from scaffold.spec.draft import Draft
from scaffold.spec.placeholders import BRACES, read_names
from scaffold.yaml.finding import Finding


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield messages with invalid placeholders, and undeclared errors."""
    for error in draft.spec.errors:
        _, broken = read_names(error.message)
        if broken:
            yield Finding(f"{error.pointer}/message", "bad-placeholder", broken, BRACES)
    if "/errors" in draft.lost:
        return
    declared = [error.name for error in draft.spec.errors]
    for tool in draft.spec.tools:
        for number, name in enumerate(tool.errors):
            if name not in declared:
                at, message = f"{tool.pointer}/errors/{number}", f"undeclared error {quote(name)}"
                declare = f"declare it: `errors: [{{name: {name}, message: …}}]`"
                hint = did_you_mean(name, declared, declare)
                yield Finding(at, "unknown-error", message, hint)
