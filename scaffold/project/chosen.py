"""The parts of a project that depend on its packs: language, rule for the spec, served features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from scaffold.languages.registry import language
from scaffold.packs.traits import Traits

if TYPE_CHECKING:  # slow to import, and most runs need few of them
    from scaffold.format.draft import Draft
    from scaffold.format.fields import Item
    from scaffold.format.rules import Rule
    from scaffold.format.spec import Spec
    from scaffold.yaml.finding import Finding

DEFAULT = Traits()
"""The traits of a project that has no pack of its own, as far as its spec is concerned."""

_LACKS = {
    "upstream": ("cannot pass calls on to another MCP server", "{}, or write the handlers by hand"),
    "skills": ("cannot serve skills", "remove them, or {}"),
    "tools.task": ("has no tasks", "remove `task`, or {}"),
    **{
        f"tools.handler.http.response.{key}": (f"has no `{key}`", f"remove `{key}`, or {{}}")
        for key in ("select", "limit")
    },
}
"""Explanations and hints for refused keys of the spec; `{}` is the hint to use another pack."""


def rule(traits: Traits = DEFAULT) -> Rule:
    """Return the rule that a spec must keep: that of the language, and of the packs."""
    return lambda draft: _faults(draft, traits)


ANY = rule(Traits(language="plain"))
"""The rule for a spec wherever its language does not matter."""


def _faults(draft: Draft, traits: Traits) -> Iterator[Finding]:
    from scaffold.yaml.finding import Finding

    chosen, use = language(traits.language), _use(traits)
    yield from chosen.faults(draft)
    for pointer, key in _present(draft.spec, traits.refuses):
        what, hint = _LACKS.get(key, (f"does not serve `{key}`", "remove it, or {}"))
        message = f"the pack `{traits.pack}` {what}"
        yield Finding(pointer, "pack-lacks", message, hint.format(use), at_key=True)
    if not _kept(draft.spec, traits):
        message = f"the pack `{traits.pack}` serves clients over standard input and output only"
        hint = f"add `stdio`, or {use} for HTTP"
        yield Finding("/transports", "pack-lacks", message, hint)
    publish, registry = draft.spec.publish, traits.publish.get("registry")
    for number, package in enumerate((publish.packages or ()) if publish and registry else ()):
        if package not in (registry, "mcpb", "oci"):
            message = f"the registry of the project's packages is `{registry}`, not `{package}`"
            hint = f"write `{registry}`"
            yield Finding(f"/publish/packages/{number}", "unpublishable", message, hint)
    for name in traits.refuses:
        if name in chosen.limits:
            yield from chosen.limits[name](draft, traits.pack, use)


def _use(traits: Traits) -> str:
    return f"use the pack `{traits.instead}`" if traits.instead else "use another pack"


def _present(spec: Spec, refused: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the pointer of each key of a spec that is refused, and its word.

    `auth.oauth` is a key in the spec, `tools.task` one of each tool, `handler.http` of any handler.
    """
    from scaffold.schema.resolver import value_at
    from scaffold.yaml.document import pointer

    for word in refused:
        first, *others = path = word.split(".")
        holders: Iterable[Item] = (spec,)
        if first == "handler":
            holders = chain.from_iterable(spec.entries.values())
        elif others and first in spec.entries:
            holders, path = spec.entries[first], others
        for holder in holders:
            if value_at(holder.written, pointer(*path)) is not None:
                yield holder.pointer + pointer(*path), word


def served(spec: Spec, traits: Traits) -> tuple[Spec, tuple[Finding, ...]]:
    """Return the spec without ignored features, and a finding for each of these."""
    if not traits.ignores:
        return spec, ()
    fields = type(spec).model_fields
    gone = {key: fields[key].get_default() for key in traits.ignores if key in fields}
    left_out = tuple(_left_out(spec, traits))
    kept = {"transports": _kept(spec, traits), "env": spec.env}
    if "auth" in gone:
        sent = {credential.env for credential in spec.api.credentials} if spec.api else set()
        unread = spec.of_http - sent
        kept["env"] = tuple(variable for variable in spec.env if variable.name not in unread)
    return spec.model_copy(update={**gone, **kept}), left_out


def _kept(spec: Spec, traits: Traits) -> list[str]:
    return [transport for transport in spec.transports if transport not in traits.ignores]


def _left_out(spec: Spec, traits: Traits) -> Iterator[Finding]:
    from scaffold.base.diagnostics.wording import join
    from scaffold.yaml.finding import Finding

    what, use = f"the pack `{traits.pack}` leaves out", _use(traits)
    if others := [transport for transport in spec.transports if transport in traits.ignores]:
        hint = f"{use} to serve them too"
        yield Finding("/transports", "pack-lacks", f"{what} {join(others, 'and')}", hint)
    for key in traits.ignores:
        if key != "auth" and getattr(spec, key, None):  # it belongs to its transports
            yield Finding(f"/{key}", "pack-lacks", f"{what} `{key}`", use, at_key=True)
