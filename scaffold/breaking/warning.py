"""A warning about an edit that breaks callers, for the report of `regenerate`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from scaffold.diagnostics import Diagnostic, Severity
from scaffold.spec.check import LoadedSpec

_MOST = 3


def breaking_edit(before: LoadedSpec | None, now: LoadedSpec) -> Iterator[Diagnostic]:
    """Yield a warning if an edit breaks callers; it names the first changes that do."""
    if before is None or before is now:
        return
    from scaffold.breaking.compare import breaks  # slow to import

    found = [*islice(breaks(before.spec, now.spec), _MOST + 1)]
    if not found:
        return
    shown = [f"{change.message} ({change.id})" for change in found[:_MOST]]
    shown += ["and more"] * (len(found) > _MOST)
    pointer = next((change.where for change in found if not change.is_gone), "")
    message = f"the edit breaks callers: {'; '.join(shown)}"
    hint = "`mcp-scaffold breaking --against git:HEAD` shows examples and the next version"
    place = now.document.place(pointer)
    yield Diagnostic("breaks-callers", message, place, hint, Severity.WARNING, pointer)
