"""Spec files, and those that they name, as all that is to say about them.

Apart from the pipeline, because checking a spec needs none of what generating imports.
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
    """The warnings about some specs. Raises ScaffoldError with every error and warning instead,
    if there is an error in any of them."""
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
