"""Check specs and the files that they name.

This is separate from generating because it needs none of its imports.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from scaffold.attachments import attachments
from scaffold.diagnostics import Diagnostic, ScaffoldError, in_order
from scaffold.project.check import check
from scaffold.spec.lint import lint
from scaffold.yaml.source import read


def validate(paths: Iterable[Path]) -> tuple[Diagnostic, ...]:
    """Return the warnings about specs; if any has an error, raise ScaffoldError instead.

    The ScaffoldError has every error and warning of all specs.
    """
    warnings: list[Diagnostic] = []
    errors: list[Diagnostic] = []
    for path in paths:
        try:
            document = read(path)
            spec = check(document)
            warnings += lint(spec, document)
            attachments(spec, document, path.parent)
        except ScaffoldError as error:
            errors += error.diagnostics
    if errors:
        raise ScaffoldError([*errors, *warnings])
    return in_order(warnings)
