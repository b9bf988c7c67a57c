"""Reports as annotations of a pull request: for GitHub, and for GitLab."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.base.text import visible
from scaffold.cli.report import Report

_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_GITLAB = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def for_github(report: Report) -> str:
    """Return a report as workflow commands."""
    return "".join(f"{_command(diagnostic)}\n" for diagnostic in _all(report))


def for_gitlab(report: Report) -> str:
    """Return a report as a code quality report."""
    return json.dumps([*_issues(report)], indent=2) + "\n"


def _all(report: Report) -> Iterator[Diagnostic]:
    for part in report.parts.values():
        yield from _all(part)
    yield from report.remarks
    yield from report.diagnostics


def _text(diagnostic: Diagnostic) -> str:
    hint = [("hint", diagnostic.hint)] if diagnostic.hint else []
    lines = (f"{label}: {text}" for label, text in (*hint, *diagnostic.notes))
    return visible("\n".join([diagnostic.message, *lines]), keep="\n")


def _issues(report: Report) -> Iterator[dict[str, object]]:
    """Yield the issues of a code quality report: docs.gitlab.com, "Code Quality report format".

    GitLab tells new issues from old ones by their fingerprint, so it leaves out the line.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    for diagnostic in _all(report):
        path, text = diagnostic.place.path if diagnostic.place else ".", _text(diagnostic)
        same = (path, diagnostic.id, text)
        seen[same] += 1
        yield {
            "description": text,
            "check_name": diagnostic.id,
            "fingerprint": sha256(repr((*same, seen[same])).encode()).hexdigest(),
            "severity": _GITLAB[diagnostic.severity],
            "location": {
                "path": path,
                "lines": {"begin": (diagnostic.place and diagnostic.place.line) or 1},
            },
        }


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
