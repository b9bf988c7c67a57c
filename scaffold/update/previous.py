"""The spec that a project was last generated from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.lock import Lock
from scaffold.disk.merge import split
from scaffold.disk.records import LAST_SPEC
from scaffold.disk.tree import Tree
from scaffold.files import SPEC
from scaffold.spec.check import LoadedSpec, load
from scaffold.spec.format import Spec
from scaffold.spec.rules import Rule
from scaffold.yaml.source import parse

ENTRIES = ("tools", "resources", "resource_templates", "prompts")
"""The lists of a spec whose entries have handlers."""


def previous(root: Path, lock: Lock, now: LoadedSpec, rule: Rule) -> LoadedSpec | None:
    """Return the spec that the project was last generated from; None if it is lost.

    `rule` is that of the language.
    """
    found = Tree(root).read(LAST_SPEC)
    text = found.text() if found and found.sha256 == lock.inputs.get(SPEC) else None
    if text is None and found and not lock.intact:  # git has merged two branches
        text = found.text()
        text = next(iter(split(text) or ()), text) if text else None
    if text is None or text == now.document.text:
        return None if text is None else now
    return _loaded(text, rule, now.spec)


def altered(root: Path, rule: Rule) -> LoadedSpec | None:
    """Return the recorded spec although another tool changed it; None if missing or invalid."""
    found = Tree(root).read(LAST_SPEC)
    text = found.text() if found else None
    return None if text is None else _loaded(text, rule)


def sides(root: Path, rule: Rule) -> Iterator[LoadedSpec]:
    """Yield what the specs of two branches may have been, from the record that git has merged.

    One branch may have renamed entries: each spec comes with its present and its former names.
    """
    found = Tree(root).read(LAST_SPEC)
    text = found.text() if found else None
    texts = (split(text) or (text,)) if text else ()
    both = [*filter(None, (_loaded(one, rule) for one in texts))]
    yield from both
    for one in both:
        former = formerly(one.spec, *(other.spec for other in both))
        if former != one.spec:
            yield replace(one, spec=former)


def formerly(spec: Spec, *others: Spec) -> Spec:
    """Return the spec with the names in `renamedFrom`, its own and that of other versions."""
    lists = {}
    for key in ENTRIES:
        entries = [entry for version in (*others, spec) for entry in getattr(version, key)]
        former = {entry.name: entry.renamed_from for entry in entries if entry.renamed_from}
        lists[key] = tuple(
            entry.model_copy(update={"name": former.get(entry.name, entry.name)})
            for entry in getattr(spec, key)
        )
    return spec.model_copy(update=lists)


def _loaded(text: str, rule: Rule, valid: Spec | None = None) -> LoadedSpec | None:
    try:
        return load(parse(text), rule, valid)
    except ScaffoldError:  # an older version may have accepted it
        return None
