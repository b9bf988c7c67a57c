"""Warnings about an edit of the spec, for people who write handlers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from scaffold.base.diagnostics import Diagnostic, Place, Severity
from scaffold.base.diagnostics.wording import did_you_mean, quote
from scaffold.base.files import Owner, RelPath
from scaffold.changes.compare import EntryChange, similar
from scaffold.disk.lock import Entry
from scaffold.disk.step import Step
from scaffold.format.check import LoadedSpec
from scaffold.format.lint import lint, notes
from scaffold.yaml.document import Document, pointer, tokens

_NAMED = 5
"""The maximum number of files listed in a message."""


def lint_edited(before: LoadedSpec | None, now: LoadedSpec) -> Iterator[Diagnostic]:
    """Yield the warnings and notes about edited tools, and about edited parts of the rest of the spec."""
    if before is now:
        return
    old_keys = before.spec.whole if before else {}
    keys = {key for key, value in now.spec.whole.items() if value != old_keys.get(key)}
    tools = {tool.name: tool.whole for tool in before.spec.tools} if before else {}
    edited = [tool for tool in now.spec.tools if tool.whole != tools.get(tool.name)]
    pointers = {tool.pointer for tool in edited}
    for warning in (*lint(now.spec, now.document, edited), *notes(now.spec, now.document)):
        key, *path = tokens(warning.pointer or "") or [""]
        is_of_tool = key == "tools" and path
        if pointer(key, path[0]) in pointers if is_of_tool else key in ("", *keys):
            yield warning


def unknown_renames(
    before: LoadedSpec | None, now: LoadedSpec, orphans: Collection[str | None]
) -> Iterator[Diagnostic]:
    """Yield a warning for each new `renamedFrom` that does not name a former entry."""
    entries = before.spec.entries if before else {}
    for key, old in entries.items():
        left = [entry.name for entry in old] + [name for name in orphans if name]
        known = {*left, *(entry.renamed_from for entry in old)}
        for entry in now.spec.entries[key]:
            former = entry.renamed_from
            if former is None or former in known:
                continue
            pointer = f"{entry.pointer}/renamedFrom"
            message = (
                f"{quote(entry.name)} cannot be renamed from {quote(former)}, which did not exist"
            )
            others = [name for name in left if name != entry.name]
            hint = did_you_mean(former, others, "write the previous name of the entry")
            place = now.document.place(pointer)
            yield Diagnostic("unknown-name", message, place, hint, Severity.WARNING, pointer)


def likely_renames(
    changes: Iterable[EntryChange], orphans: Collection[str | None], document: Document
) -> Iterator[Diagnostic]:
    """Yield a hint for each entry that may be renamed; `orphans` are the entries of kept files."""
    for name, new in similar(tuple(changes)):
        if name in orphans and new.pointer:
            message = f"{quote(new.name)} is new, {quote(name)} is gone, and its handler was kept"
            hint = f"if this is a rename, add `renamedFrom: {name}` and run again"
            place = document.place(new.pointer)
            yield Diagnostic("maybe-renamed", message, place, hint, Severity.WARNING, new.pointer)


def missed(
    steps: Sequence[Step], last: Mapping[RelPath, Entry], root: Path
) -> Iterator[Diagnostic]:
    """Yield a warning for each changed template of owned files, if some of these were edited.

    These files do not get the change. `last` are the entries of the lock.
    """
    edited: dict[str, list[RelPath]] = {}
    for step in steps:
        last_entry = last.get(step.source or step.path)
        if not (
            step.owner is Owner.OWNED and step.wanted and step.before and step.entry and last_entry
        ):
            continue
        is_edited = not (
            last_entry.orphan or last_entry.holds(step.before) or step.entry.holds(step.before)
        )
        if is_edited and step.entry.sha256 != last_entry.sha256:
            edited.setdefault(step.wanted.template, []).append(step.path)
    for template, paths in edited.items():
        more = len(paths) - _NAMED
        listed = ", ".join(f"`{path}`" for path in paths[:_NAMED])
        listed += f" and {more} more" if more > 0 else ""
        message = f"the template `{template}` has changed, but these were edited: {listed}"
        hint = f"to see it, run with --force {paths[0]} (saves your version as .orig)"
        place = Place(str(root / paths[0]))
        yield Diagnostic("template-missed", message, place, hint, Severity.WARNING)
