"""Check that a server lists something and that names are unique."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scaffold.diagnostics.wording import quote
from scaffold.spec.draft import Draft
from scaffold.yaml.finding import Finding


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield duplicate names, and a finding for a server that lists nothing."""
    spec = draft.spec
    if not any(spec.entries.values()) and draft.lost.isdisjoint(f"/{key}" for key in spec.entries):
        yield _nothing_to_serve(draft)
    for entries in spec.entries.values():
        key = entries[0].identifier if entries else "name"
        yield from _duplicates((f"{e.pointer}/{key}", str(e.written[key])) for e in entries)
    yield from _duplicates((f"{error.pointer}/name", error.name) for error in spec.errors)
    yield from _duplicates((f"{one.pointer}/name", one.name.upper()) for one in spec.env)
    for tool in spec.tools:
        at = f"{tool.pointer}/examples"
        yield from _duplicates((f"{at}/{n}/name", e.name) for n, e in enumerate(tool.examples))
    for prompt in spec.prompts:
        at = f"{prompt.pointer}/arguments"
        yield from _duplicates((f"{at}/{n}/name", a.name) for n, a in enumerate(prompt.arguments))


def _nothing_to_serve(draft: Draft) -> Finding:
    empty = [f"/{key}" for key in draft.spec.entries if key in draft.spec.written]
    return Finding(
        empty[0] if empty else "",
        "empty-spec",
        "the server has neither tools nor resources nor prompts",
        "add a tool to `tools`" if empty == ["/tools"] else "add `tools:` with at least one tool",
        at_key=True,
    )


def _duplicates(named: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """Yield the names that occur twice."""
    seen: dict[str, str] = {}
    for at, name in named:
        first = seen.setdefault(name, at)
        if first != at:
            yield Finding(
                at,
                "duplicate-name",
                f"{quote(name)} is already item {int(first.split('/')[-2]) + 1} of "
                f"`{at.split('/')[-3]}`",
                "rename one of the two, or remove it",
                related=(first, "already defined here"),
            )
