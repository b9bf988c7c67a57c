"""A Document as a Spec, or everything that keeps it from being one."""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import ScaffoldError, Severity
from .build import build
from .document import Document
from .finding import Finding
from .mismatch import mismatches
from .model import Spec
from .schema import json_schema, validator


def check(document: Document) -> Spec:
    """The spec that a document holds. Raises ScaffoldError with every fault found."""
    findings = list(_findings(document))
    if findings:
        raise ScaffoldError(f.diagnostic(document, Severity.ERROR) for f in findings)
    assert isinstance(document.value, dict)
    return build(document.value)


def _findings(document: Document) -> Iterator[Finding]:
    yield from mismatches(validator(), json_schema(), document.value, "", document)
