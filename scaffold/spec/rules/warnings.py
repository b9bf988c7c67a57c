"""Check `lint`: only warnings can be ignored."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.diagnostics.explain import sections, warnings
from scaffold.diagnostics.wording import nearest, quote
from scaffold.spec.draft import Draft
from scaffold.yaml.finding import Finding


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield ignored ids that do not belong to a warning."""
    for number, id in enumerate(draft.spec.lint.ignore):
        if id not in warnings():
            meant = nearest(id, sorted(warnings()))
            yield Finding(
                f"/lint/ignore/{number}",
                "unknown-warning",
                f"{quote(id)} is an error, and cannot be ignored"
                if id in sections()
                else f"{quote(id)} is not the id of a warning",
                f"did you mean `{meant}`?"
                if meant
                else "the ids stand in brackets in the messages",
            )
