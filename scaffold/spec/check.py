"""Check a document and return its spec."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from scaffold.diagnostics import FAULTS, Severity, refusal
from scaffold.spec.draft import Draft, draft
from scaffold.spec.format import Spec
from scaffold.spec.rules import Rule, broken_rules
from scaffold.spec.rules.environment import secrets
from scaffold.yaml.document import Document


@dataclass(frozen=True, slots=True)
class LoadedSpec:
    """A spec and its document, with secrets masked."""

    document: Document
    spec: Spec


def load(document: Document, rule: Rule) -> LoadedSpec:
    """Check a document with all rules and the language's `rule`; return it with its spec.

    Raises ScaffoldError with every error found.
    """
    drafted, findings = draft(document)
    document = document.masking(_unread_defaults(document, drafted))
    if drafted:
        document = document.masking(secrets(drafted.spec))
        findings += islice(broken_rules(drafted, rule), FAULTS - len(findings))
    if findings:
        found = [finding.diagnostic(document, Severity.ERROR) for finding in findings]
        raise refusal(found, document.name)
    assert drafted
    return LoadedSpec(document, drafted.spec)


def _unread_defaults(document: Document, drafted: Draft | None) -> Iterator[str]:
    """Yield pointers of defaults missing from the draft; any of them may be a secret."""
    for at, variable in document.mappings("env"):
        default = f"{at}/default"
        if "default" in variable and (
            drafted is None or not drafted.lost.isdisjoint((at, default))
        ):
            yield default
