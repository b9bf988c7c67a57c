"""Check specs and the files that they name.

This is separate from generating because it needs none of its imports.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scaffold.base.diagnostics import Diagnostic, ScaffoldError, in_order
from scaffold.base.files import SPEC
from scaffold.disk.records import PACK
from scaffold.project import chosen
from scaffold.project.attachments import attachments
from scaffold.project.inputs import read_packs
from scaffold.project.pages import blocked_hosts
from scaffold.project.skills import misnamed_tools
from scaffold.spec.check import load
from scaffold.spec.lint import lint
from scaffold.spec.rules import Rule
from scaffold.yaml.source import parse


def findings_in(text: str, path: Path) -> tuple[Diagnostic, ...]:
    """Return the errors and warnings about the text of a spec at `path`."""
    warnings: Sequence[Diagnostic] = ()
    try:
        document = parse(text, str(path))
        loaded = load(document, _rule_beside(path))
        warnings = tuple(lint(loaded.spec, document))
        attached = attachments(loaded.spec, document, path.parent)
        warnings += tuple(blocked_hosts(attached.texts, loaded))
        warnings += tuple(misnamed_tools(attached.skills, loaded))
    except ScaffoldError as error:
        return (*error.diagnostics, *warnings)
    return in_order(warnings)


def _rule_beside(path: Path) -> Rule:
    """Return the rule of the project whose spec is at `path`, or else that of the language."""
    if path.name != SPEC or not (path.parent / PACK).is_dir():
        return chosen.rule()
    from scaffold.project.generate import rule_at  # takes long, and few specs need it

    return rule_at(path.parent, read_packs(path.parent))
