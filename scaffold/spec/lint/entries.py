"""Warnings about resource templates and prompts."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.diagnostics.wording import quote
from scaffold.spec.format import Spec
from scaffold.spec.lint.phrases import undescribed
from scaffold.yaml.finding import Finding


def warnings(spec: Spec) -> Iterator[Finding]:
    """Yield templates whose handlers must check paths, and prompts without descriptions."""
    for template in spec.resource_templates:
        if template.unsafe:
            message = f"the handler of {quote(template.name)} gets unsafe paths such as `../secret`"
            hint = "remove `unsafe`, or check all variables in the handler and ignore this warning"
            yield Finding(
                f"{template.pointer}/unsafe", "unsafe-template", message, hint, at_key=True
            )
    for prompt in spec.prompts:
        if not (prompt.description or "").strip():
            message = f"prompt {quote(prompt.name)} has no description for people to choose it by"
            hint = "say what it asks the model to do"
            yield Finding(prompt.pointer, "no-description", message, hint, at_key=True)
        silent = [a.name for a in prompt.arguments if not (a.description or a.title or "").strip()]
        if silent:
            at, why = f"{prompt.pointer}/arguments", "so people must guess what to fill in"
            yield undescribed(at, silent, len(prompt.arguments), why)
