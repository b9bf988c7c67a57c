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
    return "".join(f"{_command(one)}\n" for one in _all(report))


def for_gitlab(report: Report) -> str:
    """Return a report as a code quality report."""
    return json.dumps([*_issues(report)], indent=2) + "\n"


def _all(report: Report) -> Iterator[Diagnostic]:
    for part in report.parts.values():
        yield from _all(part)
    yield from report.remarks
    yield from report.diagnostics


def _text(one: Diagnostic) -> str:
    hint = [("hint", one.hint)] if one.hint else []
    lines = (f"{label}: {text}" for label, text in (*hint, *one.notes))
    return visible("\n".join([one.message, *lines]), keep="\n")


def _issues(report: Report) -> Iterator[dict[str, object]]:
    """Yield the issues of a code quality report: docs.gitlab.com, "Code Quality report format".

    GitLab tells new issues from old ones by their fingerprint, so it leaves out the line.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    for one in _all(report):
        path, text = one.place.path if one.place else ".", _text(one)
        same = (path, one.id, text)
        seen[same] += 1
        yield {
            "description": text,
            "check_name": one.id,
            "fingerprint": sha256(repr((*same, seen[same])).encode()).hexdigest(),
            "severity": _GITLAB[one.severity],
            "location": {"path": path, "lines": {"begin": (one.place and one.place.line) or 1}},
        }


def _command(one: Diagnostic) -> str:
    """Return a workflow command, escaped for GitHub's runner."""
    properties: dict[str, object] = {}
    if one.place:
        properties["file"] = one.place.path
        if one.place.line:
            properties["line"] = one.place.line
        if one.place.column:
            end = one.place.column + one.place.length
            properties |= {"col": one.place.column, "endColumn": end}
    properties["title"] = one.id
    listed = ",".join(
        f"{name}={_escape(visible(str(value))).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in properties.items()
    )
    return f"::{_GITHUB[one.severity]} {listed}::{_escape(_text(one))}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
