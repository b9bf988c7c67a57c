"""Compare two versions of a spec for callers: breaking, perhaps breaking and other changes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.base.diagnostics.wording import quote
from scaffold.breaking.accepted import named, pointers, remaining
from scaffold.breaking.change import Change, Level, change_of
from scaffold.breaking.fields import PROMPT, RESOURCE, TEMPLATE, TOOL, entry_changes, server_changes
from scaffold.breaking.parts import written
from scaffold.breaking.tools import header_changes, tool_changes
from scaffold.changes.compare import paired
from scaffold.format.check import LoadedSpec
from scaffold.format.spec import Spec, Transport

_MAX_CHANGES = 3
"""The changes that the warning about an edit names."""


def breaking_edit(before: LoadedSpec, now: LoadedSpec, in_git: bool) -> Iterator[Diagnostic]:
    """Yield a warning if an edit breaks callers, for the report of `regenerate`."""
    errors = (change for change in _changes(before.spec, now.spec) if change.level is Level.ERROR)
    breaks = [*islice(errors, _MAX_CHANGES + 1)]
    if not breaks:
        return
    shown = [f"{change.message} ({change.id})" for change in breaks[:_MAX_CHANGES]]
    shown += ["and more"] * (len(breaks) > _MAX_CHANGES)
    first, at = breaks[0], breaks[0].where
    if first.is_gone:
        at = remaining(named(at, before.spec), pointers(now.spec))
    message = f"the edit breaks callers: {'; '.join(shown)}"
    command = "`mcp-scaffold breaking --against git:HEAD`"
    hint = f"{command} shows examples and the next version" if in_git else None
    place = now.document.place(at)
    yield Diagnostic("breaks-callers", message, place, hint, Severity.WARNING, at)


def compare(old: Spec, new: Spec) -> tuple[Change, ...]:
    """Return the changes for callers between two specs: those of the server, then of its lists."""
    return tuple(_changes(old, new))


def _changes(old: Spec, new: Spec) -> Iterator[Change]:
    yield from server_changes(old, new)
    yield from _tools_left_out(old, new)
    is_web = all(Transport.STREAMABLE_HTTP in spec.transports for spec in (old, new))
    for before, tool in paired(old.tools, new.tools):
        if before and tool and written(before.written) == written(tool.written):
            continue  # as most are
        yield from entry_changes(TOOL, before, tool)
        if before and tool:
            yield from tool_changes(before, tool)
            yield from header_changes(before, tool) if is_web else ()
    for old_resource, resource in paired(old.resources, new.resources):
        yield from entry_changes(RESOURCE, old_resource, resource)
    for old_template, template in paired(old.resource_templates, new.resource_templates):
        yield from entry_changes(TEMPLATE, old_template, template)
    for given, prompt in paired(old.prompts, new.prompts):
        yield from entry_changes(PROMPT, given, prompt)


def _tools_left_out(old: Spec, new: Spec) -> Iterator[Change]:
    """Yield the tools that the server no longer offers by default, or else with a toolset."""
    choices = {"by default": (old.offered, new.offered)}
    for name in old.toolsets:
        if name in new.toolsets:
            both = old.offered_with([name]), new.offered_with([name])
            choices[f"with toolset {quote(name)}"] = both
    now = {
        old_tool.name: tool for old_tool, tool in paired(old.tools, new.tools) if old_tool and tool
    }
    reported = set[str]()
    for choice, (before, after) in choices.items():
        left = reported.union(tool.name for tool in after)
        for tool in (now[old_tool.name] for old_tool in before if old_tool.name in now):
            if tool.name not in left:
                reported.add(tool.name)
                message = f"tool {quote(tool.name)} is no longer offered {choice}"
                yield change_of("tool-not-offered", "tool", tool.name, tool.pointer, message)
