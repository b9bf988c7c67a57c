"""Check a document: its format, the rules of MCP and those of the language of the project."""

from __future__ import annotations

from scaffold.python import rules
from scaffold.spec import check as spec_check
from scaffold.spec.check import LoadedSpec
from scaffold.spec.format import Spec
from scaffold.yaml.document import Document


def check(document: Document) -> Spec:
    """Return the spec in a document. Raises ScaffoldError with every fault found."""
    return load(document).spec


def load(document: Document) -> LoadedSpec:
    """Return the spec in a document, with the document. Raises ScaffoldError as `check` does."""
    return spec_check.load(document, rules.faults)
