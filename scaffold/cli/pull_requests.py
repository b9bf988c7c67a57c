"""Reports on a pull request: as annotations on GitHub, or as a comment.

In a comment, the text for people is in a code block, in which mentions, links, images and HTML have
no effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.base.text import visible
from scaffold.cli.people import for_people, summary
from scaffold.cli.report import Report

_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}

MAX_CHARACTERS = 60_000
"""The maximum characters of a report in a comment, which GitHub limits to 65,536."""


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


def for_comment(report: Report) -> str:
    """Return a report as a heading and a code block, without the diff."""
    parts = {path: replace(part, diff="") for path, part in report.parts.items()}
    text = "".join(for_people(replace(report, diff="", parts=parts))).rstrip()
    if len(text) > MAX_CHARACTERS:
        shown = text[:MAX_CHARACTERS].rpartition("\n")[0]
        more = text.count("\n", len(shown))
        text = f"{shown}\n… and {more} more lines"
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    block = f"{fence}text\n{text}\n{fence}\n"
    if report.table or parts:
        return block
    heading = ", ".join(filter(None, (report.verdict, summary(report.diagnostics))))
    return f"### {(heading or 'no problems').capitalize()}\n\n{block}"
