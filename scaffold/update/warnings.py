"""Warnings about an edit of the spec, for people who write handlers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from scaffold.diagnostics import Diagnostic, Severity
from scaffold.diagnostics.wording import nearest, quote
from scaffold.spec.check import LoadedSpec
from scaffold.spec.format import Entry
from scaffold.spec.lint import lint
from scaffold.update.compare import EntryChange, edited, similar
from scaffold.yaml.document import Document


def lint_edited(before: LoadedSpec | None, now: LoadedSpec) -> Iterator[Diagnostic]:
    """Yield the warnings about edited parts; the others were given before."""
    pointers = edited(before.document.value if before else None, now.document.value)
    if not pointers:
        return
    tools = {int(at[7:]) for at in pointers if at.startswith("/tools/") and at != "/tools/-"}
    for warning in lint(now.spec, now.document, None if "" in pointers else tools):
        at = warning.pointer or ""
        parts = at.split("/")
        near = {"", at, f"{at}/-", "/".join(parts[:2]), "/".join(parts[:3])}
        if not at or near & pointers:
            yield warning


def unknown_renames(
    before: LoadedSpec | None, now: LoadedSpec, orphans: Collection[str | None]
) -> Iterator[Diagnostic]:
    """Yield a warning for each new `renamedFrom` that does not name a former entry."""
    if before is None:
        return
    for key, old, new in (
        ("tools", before.spec.tools, now.spec.tools),
        ("resources", before.spec.resources, now.spec.resources),
        ("resourceTemplates", before.spec.resource_templates, now.spec.resource_templates),
        ("prompts", before.spec.prompts, now.spec.prompts),
    ):
        entries: Sequence[Entry] = new
        names = {entry.name: entry for entry in old}
        known = {*names, *(e.renamed_from for e in old), *filter(None, orphans)}
        for index, entry in enumerate(entries):
            was = entry.renamed_from
            if was is None or was in known:
                continue
            gone = [name for name in (*names, *filter(None, orphans)) if name != entry.name]
            near = nearest(was, gone)
            pointer = f"/{key}/{index}/renamedFrom"
            message = (
                f"`renamedFrom` of {quote(entry.name)} names {quote(was)}, which there was not"
            )
            hint = f"did you mean {quote(near)}?" if near else "name what it was called before"
            place = now.document.place(pointer)
            yield Diagnostic("unknown-name", message, place, hint, Severity.WARNING, pointer)


def likely_renames(
    found: Iterable[EntryChange], orphans: Collection[str | None], document: Document
) -> Iterator[Diagnostic]:
    """Yield a hint for each entry that may be renamed; `orphans` are the entries of kept files."""
    for name, new in similar(tuple(found)):
        if name in orphans and new.pointer:
            message = (
                f"{quote(new.name)} is new, {quote(name)} is gone, and its handler stays behind"
            )
            hint = f"if it is the same {new.kind}, add `renamedFrom: {name}` and run again"
            place = document.place(new.pointer)
            yield Diagnostic("maybe-renamed", message, place, hint, Severity.WARNING, new.pointer)
