"""Warnings about prompts without the descriptions that people need."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.diagnostics.wording import quote
from scaffold.spec.format import Prompt
from scaffold.spec.lint.phrases import arguments
from scaffold.spec.lint.subject import Subject
from scaffold.yaml.finding import Finding


def warnings(subject: Subject) -> Iterator[Finding]:
    """Yield prompts and prompt arguments without a description."""
    for prompt in subject.spec.prompts:
        yield from _prompt_warnings(prompt)


def _prompt_warnings(prompt: Prompt) -> Iterator[Finding]:
    if not (prompt.description or "").strip():
        yield Finding(
            prompt.pointer,
            "no-description",
            f"{quote(prompt.name)} has no description, by which people choose a prompt",
            "say what it asks the model to do",
            at_key=True,
        )
    silent = [a.name for a in prompt.arguments if not (a.description or a.title or "").strip()]
    if silent:
        yield Finding(
            f"{prompt.pointer}/arguments",
            "undescribed-argument",
            f"{arguments(silent, len(prompt.arguments))} without a description, which clients "
            "show where people fill it in",
            "add `description:`",
            at_key=True,
        )
