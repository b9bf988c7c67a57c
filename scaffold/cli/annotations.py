"""Reports as annotations of a pull request on GitHub."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.base.text import visible
from scaffold.cli.report import Report

_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def for_github(report: Report) -> str:
    """Return a report as workflow commands."""
    return "".join(f"{_command(diagnostic)}\n" for diagnostic in _all(report))


def _all(report: Report) -> Iterator[Diagnostic]:
    for part in report.parts.values():
        yield from _all(part)
    yield from report.remarks
    yield from report.diagnostics


def _text(diagnostic: Diagnostic) -> str:
    hint = [("hint", diagnostic.hint)] if diagnostic.hint else []
    lines = (f"{label}: {text}" for label, text in (*hint, *diagnostic.notes))
    return visible("\n".join([diagnostic.message, *lines]), keep="\n")


def _command(diagnostic: Diagnostic) -> str:
    """Return a workflow command, escaped for GitHub's runner."""
    properties: dict[str, object] = {}
    if diagnostic.place:
        properties["file"] = diagnostic.place.path
        if diagnostic.place.line:
            properties["line"] = diagnostic.place.line
        if diagnostic.place.column:
            end = diagnostic.place.column + diagnostic.place.length
            properties |= {"col": diagnostic.place.column, "endColumn": end}
    properties["title"] = diagnostic.id
    listed = ",".join(
        f"{name}={_escape(visible(str(value))).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in properties.items()
    )
    return f"::{_GITHUB[diagnostic.severity]} {listed}::{_escape(_text(diagnostic))}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
