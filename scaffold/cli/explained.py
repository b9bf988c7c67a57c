"""The documentation of a diagnostic, as `--explain` prints it."""

from __future__ import annotations

import click


def explained(id: str) -> str:
    """Return the documentation of a diagnostic. Raises click.UsageError if there is none."""
    from scaffold.base.diagnostics.explain import explain, sections
    from scaffold.base.diagnostics.wording import did_you_mean, quote

    text = explain(id)
    if text is None:
        message, near = f"unknown diagnostic {quote(id)}", did_you_mean(id, sections())
        raise click.UsageError(f"{message}, {near}" if near else message)
    return text
