"""Check a document and return its spec."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from scaffold.base.diagnostics import FAULTS, ScaffoldError, Severity, refusal
from scaffold.spec.draft import Draft, draft
from scaffold.spec.foreign import foreign
from scaffold.spec.format import Spec
from scaffold.spec.rules import Rule, broken_rules
from scaffold.spec.rules.environment import secrets
from scaffold.yaml.document import Document
from scaffold.yaml.finding import Finding

_DEFAULT = re.compile("/env/[0-9]+/default")


class LoadedSpec(Struct, frozen=True):
    """A spec and its document, with secrets masked."""

    document: Document
    spec: Spec


def load(document: Document, rule: Rule, valid: Spec | None = None) -> LoadedSpec:
    """Check a document with all rules and the language's `rule`; return it with its spec.

    `valid` is a checked spec; entries that the document shares with it are not checked again.
    Raises ScaffoldError with every error found.
    """
    if other := foreign(document):
        raise ScaffoldError([other.diagnostic(document, Severity.ERROR)])
    drafted, findings = draft(document, valid)
    findings = [_without_default(finding, document) for finding in findings]
    document = document.masking(_unread_defaults(document, drafted))
    if drafted:
        document = document.masking(secrets(drafted.spec))
        findings += islice(broken_rules(drafted, rule), FAULTS - len(findings))
    if findings:
        found = [finding.diagnostic(document, Severity.ERROR) for finding in findings]
        raise refusal(found, document.name)
    assert drafted
    return LoadedSpec(document, drafted.spec)


def _without_default(finding: Finding, document: Document) -> Finding:
    """Return the finding without the default of a variable, which may be a secret."""
    if not _DEFAULT.fullmatch(finding.pointer):
        return finding
    message, hint = finding.message, finding.hint
    value = document.node(finding.pointer)
    for text in (document.written(finding.pointer), str(value.value) if value else ""):
        if text:
            message, hint = message.replace(text, "*****"), hint.replace(text, "*****")
    return finding._replace(message=message, hint=hint)


def _unread_defaults(document: Document, drafted: Draft | None) -> Iterator[str]:
    """Yield pointers of defaults missing from the draft; any of them may be a secret."""
    for at, variable in document.mappings("env"):
        default = f"{at}/default"
        if "default" in variable and (
            drafted is None or not drafted.lost.isdisjoint((at, default))
        ):
            yield default
