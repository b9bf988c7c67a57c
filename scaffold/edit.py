"""The spec that a project was last made from, and the present one → what the edit means for people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scaffold.diagnostics import Diagnostic, ScaffoldError, Severity
from scaffold.disk.lock import Lock
from scaffold.disk.records import base
from scaffold.disk.tree import Tree
from scaffold.files import SPEC
from scaffold.spec.check import check
from scaffold.spec.compare import Consequence, compare, edited, likely_renames
from scaffold.spec.document import Document
from scaffold.spec.finding import shown
from scaffold.spec.lint import lint
from scaffold.spec.model import Spec
from scaffold.spec.source import parse


@dataclass(frozen=True, slots=True)
class Read:
    """A spec as it was written and as it was understood."""

    document: Document
    spec: Spec


def former(root: Path, lock: Lock, now: Read) -> Read | None:
    """The spec that the project was last made from; None where it is lost."""
    entry, found = lock.files.get(SPEC), Tree(root).read(base(SPEC))
    text = found.text() if found and entry and found.sha256 == entry.sha256 else None
    if text is None or text == now.document.text:
        return None if text is None else now
    try:
        document = parse(text)
        return Read(document, check(document))
    except ScaffoldError:  # an older version may have accepted it
        return None


def consequences(before: Read | None, now: Read) -> tuple[Consequence, ...]:
    """What has changed for those who write handlers, so far as it can be told."""
    return () if before is None or before is now else compare(before.spec, now.spec)


def warnings(before: Read | None, now: Read) -> Iterator[Diagnostic]:
    """The warnings about what was edited; the others were given before."""
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


def hints(
    found: Iterable[Consequence], orphans: Collection[str | None], document: Document
) -> Iterator[Diagnostic]:
    """What may have been renamed without saying so: `orphans` are what kept files belonged to."""
    for name, new in likely_renames(tuple(found)):
        if name in orphans and new.pointer:
            message = (
                f"{shown(new.name)} is new, {shown(name)} is gone, and its handler stays behind"
            )
            hint = f"if it is the same {new.kind}, add `renamedFrom: {name}` and run again"
            place = document.place(new.pointer)
            yield Diagnostic("maybe-renamed", message, place, hint, Severity.WARNING, new.pointer)
