"""Compare two versions of a spec for callers: what breaks, what may break, what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from scaffold.breaking.backend import backend_changes
from scaffold.breaking.change import Change, Level
from scaffold.breaking.distribution import distribution_changes
from scaffold.breaking.lists import prompt_changes, resource_changes, template_changes
from scaffold.breaking.server import server_changes
from scaffold.breaking.tools import header_changes, tool_added, tool_changes, tool_removed
from scaffold.spec.format import Resource, ResourceTemplate, Spec, Tool, Transport
from scaffold.update.compare import paired

_R = TypeVar("_R", Resource, ResourceTemplate)


def breaks(old: Spec, new: Spec) -> Iterator[Change]:
    """Yield the errors among the changes, one after another, as they are found."""
    return (change for change in _changes(old, new) if change.level is Level.ERROR)


def compare(old: Spec, new: Spec) -> tuple[Change, ...]:
    """Return what changes for callers from one spec to the next: the server first, then its lists."""
    return tuple(_changes(old, new))


def _changes(old: Spec, new: Spec) -> Iterator[Change]:
    yield from server_changes(old, new)
    yield from backend_changes(old, new)
    yield from distribution_changes(old, new)
    is_web = all(Transport.STREAMABLE_HTTP in one.transports for one in (old, new))
    for before, tool in paired(old.tools, new.tools):
        yield from _tool(before, tool)
        if is_web and before and tool:
            yield from header_changes(before, tool)
    for was, resource in _by_address(old.resources, new.resources):
        yield from resource_changes(was, resource)
    for one, template in _by_address(old.resource_templates, new.resource_templates):
        yield from template_changes(one, template)
    for given, prompt in paired(old.prompts, new.prompts):
        yield from prompt_changes(given, prompt)


def _tool(old: Tool | None, new: Tool | None) -> Iterator[Change]:
    if old and new:
        yield from tool_changes(old, new)
    elif old:
        yield tool_removed(old)
    elif new:
        yield tool_added(new)


def _by_address(old: Sequence[_R], new: Sequence[_R]) -> Iterator[tuple[_R | None, _R | None]]:
    """Yield each resource before and after: by its address, which clients save, or else its name."""
    before, now = ({_address(one): one for one in entries} for entries in (old, new))
    yield from ((before[address], now[address]) for address in now if address in before)
    yield from paired(
        [one for address, one in before.items() if address not in now],
        [one for address, one in now.items() if address not in before],
    )


def _address(entry: Resource | ResourceTemplate) -> str:
    return entry.uri if isinstance(entry, Resource) else entry.uri_template
