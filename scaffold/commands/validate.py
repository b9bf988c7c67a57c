"""Check specs and the files that they name, and fix what has one certain fix.

This is separate from generating because it needs none of its imports.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Edit, ScaffoldError, Severity, in_order
from scaffold.base.files import SPEC
from scaffold.disk.records import PACK
from scaffold.disk.swap import save
from scaffold.editing.text import edited
from scaffold.format.check import load
from scaffold.format.lint import lint
from scaffold.format.rules import Rule
from scaffold.project import chosen
from scaffold.project.attachments import attachments
from scaffold.yaml.source import load as load_text
from scaffold.yaml.source import parse

ROUNDS = 20
"""The maximum number of times that a spec is checked again, as a fix can reveal problems."""

Findings: TypeAlias = tuple[Diagnostic, ...]


def findings_in(text: str, path: Path) -> Findings:
    """Return the errors and warnings about the text of a spec at `path`."""
    warnings: Findings = ()
    try:
        document = parse(text, str(path))
        loaded = load(document, _rule_beside(path))
        warnings = tuple(lint(loaded.spec, document))
        attachments(loaded.spec, document, path.parent)
    except ScaffoldError as error:
        return (*error.diagnostics, *warnings)
    return in_order(warnings)


def _rule_beside(path: Path) -> Rule:
    """Return the rule of the project whose spec is at `path`, or else that of the language."""
    if path.name != SPEC or not (path.parent / PACK).is_dir():
        return chosen.rule()
    from scaffold.project.generate import rule_at  # takes long, and few specs need it

    return rule_at(path.parent)


def fix(path: Path) -> tuple[Findings, Findings]:
    """Apply the fixes of findings to a spec; return what was fixed, and the findings left.

    Raises ScaffoldError if the file cannot be read or written.
    """
    encoded = load_text(path, str(path))
    text, fixed, left = _fixed(encoded.text, path, findings_in(encoded.text, path))
    save(path, encoded.encode(text), encoded.encode(encoded.text))
    return fixed, left


def check(path: Path) -> Findings:
    """Return the findings about a spec, with the fixes that `fix` would make and no others.

    Raises ScaffoldError if the file cannot be read.
    """
    text = load_text(path, str(path)).text
    findings = findings_in(text, path)
    if not any(finding.fix for finding in findings):
        return findings
    _, fixed, _ = _fixed(text, path, findings)
    return tuple(
        finding if finding in fixed else replace(finding, fix=None) for finding in findings
    )


def _fixed(text: str, path: Path, findings: Findings) -> tuple[str, Findings, Findings]:
    """Return the text with all fixes that remove their errors, the fixed and the other findings."""
    fixed: Findings = ()
    refused = set[tuple[str, str | None]]()
    for _ in range(ROUNDS):
        done = [*_apart(f for f in findings if (f.id, f.pointer) not in refused)]
        if not done:
            break
        new = applied(text, [finding.fix.edit for finding in done if finding.fix])
        after = findings_in(new, path)
        # An error of the whole text, such as one that is no longer YAML, has no pointer.
        wrong = {finding.pointer for finding in after if finding.severity is Severity.ERROR}
        bad = {
            (finding.id, finding.pointer)
            for finding in done
            if finding.fix and wrong & {finding.fix.pointer, None}
        }
        if bad:
            refused |= bad
            continue
        text, findings, fixed = new, after, (*fixed, *done)
    return text, fixed, tuple(replace(finding, fix=None) for finding in findings)


def _apart(findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the findings with a fix, but only the first for each place and for each new key."""
    taken = set[int | str]()
    for finding in findings:
        if finding.fix and not taken & {finding.fix.edit.start, finding.fix.pointer}:
            taken |= {finding.fix.edit.start, finding.fix.pointer}
            yield finding


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return the edited text; the offsets of edits count each line end as one character."""
    ends = [match.start() - n for n, match in enumerate(re.finditer("\r\n", text))]
    return edited(
        text,
        ((at + bisect_left(ends, at), to + bisect_left(ends, to), new) for at, to, new in edits),
    )
