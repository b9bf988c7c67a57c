"""Rules of domain errors: they can become exception classes, and tools name only declared ones."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator

from scaffold.diagnostics.wording import nearest, quote
from scaffold.spec.draft import Draft
from scaffold.spec.format import DomainError, Tool
from scaffold.spec.placeholders import BRACES, read_names
from scaffold.yaml.finding import Finding


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield names and messages that no exception class can have, and errors not declared."""
    for error in draft.spec.errors:
        yield from _class_faults(error)
    declared = [error.name for error in draft.spec.errors]
    if "/errors" not in draft.lost:
        for tool in draft.spec.tools:
            yield from _undeclared(tool, declared)


def _class_faults(error: DomainError) -> Iterator[Finding]:
    name, at = error.name, f"{error.pointer}/message"
    if keyword.iskeyword(name) or hasattr(builtins, name) or name == "ToolError":
        yield Finding(
            f"{error.pointer}/name",
            "bad-error-name",
            f"`{name}` already means something in the generated code",
            "choose a name that says what failed: `ChunkNotFound`",
        )
    fields, broken = read_names(error.message)
    for field in fields:
        if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", field) or keyword.iskeyword(field):
            yield Finding(
                at,
                "bad-placeholder",
                f"{quote(field)} in braces cannot name a field",
                "use a name of letters, digits and `_`, a letter first; " + BRACES,
            )
        elif field in ("self", "message", "args"):
            yield Finding(
                at, "bad-placeholder", f"the field name `{field}` is taken", "choose another name"
            )
    if broken:
        yield Finding(at, "bad-placeholder", broken, BRACES)


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
