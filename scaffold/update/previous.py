"""The spec that a project was last generated from."""

from __future__ import annotations

from pathlib import Path

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.records import LAST_SPEC
from scaffold.disk.tree import Tree
from scaffold.files import SPEC
from scaffold.spec.check import LoadedSpec, load
from scaffold.spec.format import Spec
from scaffold.spec.rules import Rule
from scaffold.yaml.source import parse

ENTRIES = ("tools", "resources", "resource_templates", "prompts")
"""The lists of a spec whose entries have handlers."""


def previous(root: Path, now: LoadedSpec, rule: Rule) -> LoadedSpec | None:
    """Return the spec that the project was last generated from; None if only an older version read it.

    `rule` is that of the language. Raises ScaffoldError (`no-project`) if the spec is lost: renames
    would be taken for new entries.
    """
    found = Tree(root).read(LAST_SPEC)
    text = found.text() if found else None
    if text is None:
        message = f"`{LAST_SPEC}` is missing: it is the spec that the project was generated from"
        hint = f"restore it from version control, or copy `{SPEC}` there as it was then"
        raise ScaffoldError.of("no-project", message, root / LAST_SPEC, hint)
    if text == now.document.text:
        return now
    try:
        return load(parse(text), rule, now.spec)
    except ScaffoldError:
        return None


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
