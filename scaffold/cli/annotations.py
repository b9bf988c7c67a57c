"""Reports as annotations of a pull request: for GitHub, and for GitLab."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256

from scaffold.base.diagnostics import Diagnostic
from scaffold.cli.report import Remark, Report, visible


def for_github(report: Report) -> str:
    """Return a report as workflow commands."""
    return "".join(f"{_command(one)}\n" for one in _remarks(report))


def for_gitlab(report: Report) -> str:
    """Return a report as a code quality report."""
    return json.dumps([*_issues(_remarks(report))], indent=2) + "\n"


def _remarks(report: Report) -> Iterator[Remark]:
    for part in report.parts.values():
        yield from _remarks(part)
    yield from report.remarks
    yield from map(_remark, report.diagnostics)


def _remark(diagnostic: Diagnostic) -> Remark:
    lines = [("hint", diagnostic.hint)] if diagnostic.hint else []
    more = "".join(f"\n{label}: {text}" for label, text in (*lines, *diagnostic.notes))
    return Remark(diagnostic.severity, diagnostic.id, diagnostic.place, diagnostic.message + more)


def _issues(remarks: Iterable[Remark]) -> Iterator[dict[str, object]]:
    """Yield the issues of a code quality report: docs.gitlab.com, "Code Quality report format".

    GitLab tells new issues from old ones by their fingerprint, so it leaves out the line.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    for level, title, place, text in remarks:
        path = place.path if place else "."
        same = (path, title, text)
        seen[same] += 1
        yield {
            "description": _shown(text),
            "check_name": title,
            "fingerprint": sha256(repr((*same, seen[same])).encode()).hexdigest(),
            "severity": _SEVERITIES[level],
            "location": {"path": path, "lines": {"begin": (place and place.line) or 1}},
        }


_SEVERITIES = {"error": "major", "warning": "minor", "notice": "info"}


def _command(one: Remark) -> str:
    """Return a workflow command, escaped for GitHub's runner."""
    properties: dict[str, object] = {}
    if one.place:
        properties["file"] = one.place.path
        if one.place.line:
            properties["line"] = one.place.line
        if one.place.column:
            end = one.place.column + one.place.length
            properties |= {"col": one.place.column, "endColumn": end}
    properties["title"] = one.title
    listed = ",".join(
        f"{name}={_escape(str(value)).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in properties.items()
    )
    return f"::{one.level} {listed}::{_escape(one.text)}"


def _escape(text: str) -> str:
    return _shown(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _shown(text: str) -> str:
    return "\n".join(visible(line) for line in text.split("\n"))
