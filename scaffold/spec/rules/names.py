"""Check that a server lists something, and that names and former names are unique."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scaffold.base.diagnostics.wording import quote
from scaffold.spec.draft import Draft
from scaffold.spec.format import Entry
from scaffold.yaml.finding import Finding


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield duplicate names, wrong former names, and a server that lists nothing."""
    spec = draft.spec
    is_known = not any(at.count("/") == 1 for at in draft.lost)  # else a key may be misspelt
    if is_known and not any(spec.entries.values()):
        empty = [f"/{key}" for key in spec.entries if key in spec.written]
        hint = "add a tool to `tools`" if empty == ["/tools"] else "add `tools:` with a tool"
        message = "the server has no tools, resources or prompts"
        yield Finding(empty[0] if empty else "", "empty-spec", message, hint, at_key=True)
    for entries in spec.entries.values():
        key = entries[0].identifier if entries else "name"
        yield from _duplicates((f"{e.pointer}/{key}", str(e.written[key])) for e in entries)
        yield from _former_names(entries)
        for entry in entries:
            at = f"{entry.pointer}/examples"
            yield from _duplicates((f"{at}/{n}/name", e.name) for n, e in enumerate(entry.examples))
    yield from _duplicates((f"{error.pointer}/name", error.name) for error in spec.errors)
    yield from _duplicates((f"{one.pointer}/name", one.name.upper()) for one in spec.env)
    for prompt in spec.prompts:
        at = f"{prompt.pointer}/arguments"
        yield from _duplicates((f"{at}/{n}/name", a.name) for n, a in enumerate(prompt.arguments))


def _duplicates(named: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """Yield the names that occur twice."""
    seen: dict[str, str] = {}
    for at, name in named:
        first = seen.setdefault(name, at)
        if first != at:
            number, items = int(first.split("/")[-2]) + 1, at.split("/")[-3]
            message = f"duplicate name {quote(name)}: item {number} of `{items}` has it too"
            related = (first, "already defined here")
            yield Finding(at, "duplicate-name", message, "rename one of them", related=related)


def _former_names(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield old names that are still in use or given twice; entries may take each other's."""
    names = {entry.name for entry in entries if entry.renamed_from is None}
    claimed = set[str]()
    for entry in entries:
        old = entry.renamed_from
        if old is None:
            continue
        if old in (*names, *claimed, entry.name):
            used = "is still in use" if old not in claimed else "another entry has too"
            yield Finding(
                f"{entry.pointer}/renamedFrom",
                "bad-rename",
                f"`renamedFrom` has the name {quote(old)}, which {used}",
                "remove it, or write the entry's previous name",
            )
        claimed.add(old)
