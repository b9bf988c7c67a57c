"""Check a document against the format, the rules of MCP and the rules of Python."""

from __future__ import annotations

from scaffold.python import rules
from scaffold.spec import check as spec_check
from scaffold.spec.check import LoadedSpec
from scaffold.spec.format import Spec
from scaffold.yaml.document import Document


def check(document: Document) -> Spec:
    """Return the spec in a document. Raises ScaffoldError with every error found."""
    return load(document).spec


def load(document: Document) -> LoadedSpec:
    """Return the spec together with its document. Raises ScaffoldError as `check` does."""
    return spec_check.load(document, rules.faults)
