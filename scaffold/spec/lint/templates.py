"""Warnings about resource templates with variables that can lead out of a folder."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.diagnostics.wording import quote
from scaffold.spec.lint.subject import Subject
from scaffold.yaml.finding import Finding


def warnings(subject: Subject) -> Iterator[Finding]:
    """Yield templates whose handlers must check paths themselves."""
    for template in subject.spec.resource_templates:
        if template.unsafe:
            yield Finding(
                f"{template.pointer}/unsafe",
                "unsafe-template",
                f"the handler of {quote(template.name)} gets paths that lead out of a folder, such "
                "as `../secret`",
                "remove `unsafe`, or check every variable in the handler and ignore this warning",
                at_key=True,
            )
