"""Check that domain errors can become Python exception classes."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator

from scaffold.diagnostics.wording import quote
from scaffold.spec.draft import Draft
from scaffold.spec.format import DomainError
from scaffold.spec.placeholders import BRACES, read_names
from scaffold.yaml.finding import Finding


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield a finding for each error name or message field that Python cannot use."""
    for error in draft.spec.errors:
        name = error.name
        if keyword.iskeyword(name) or hasattr(builtins, name) or name == "ToolError":
            yield Finding(
                f"{error.pointer}/name",
                "bad-error-name",
                f"`{name}` already means something in the generated code",
                "choose a name that says what failed: `ChunkNotFound`",
            )
        yield from _field_faults(error)


def _field_faults(error: DomainError) -> Iterator[Finding]:
    at = f"{error.pointer}/message"
    fields, _ = read_names(error.message)
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
