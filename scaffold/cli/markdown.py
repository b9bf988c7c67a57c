"""Reports as comments on a pull request, in which hostile text has no effect.

Text that others wrote is in code spans, where GitHub and GitLab ignore mentions, links, images,
HTML and references.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.base.text import visible
from scaffold.cli.people import summary
from scaffold.cli.report import Report

MAX_MESSAGE_LENGTH = 300
"""The maximum length of a text in a code span."""

MAX_CHARACTERS = 20_000
"""The characters of the diagnostics of each severity in a comment, which GitHub limits to 65,536."""

_PROSE = re.compile(
    r"""(?: [A-Za-z ,;()'?]          # words
        | (?<=[A-Za-z])-(?=[A-Za-z])  # no GH-123
        | [.:](?=\s|$)                # no www.example.org, no https://
        | (?<=[ (])\+?\d{1,6}(?![\w-]) # a number, and no hash of a commit
    )*""",
    re.VERBOSE,
)
"""Words and punctuation that mean nothing in Markdown, and refer to nothing."""


def for_comment(report: Report) -> str:
    """Return a report as a comment: outcome, lines, table, diagnostics."""
    if report.parts:
        each = report.parts.items()
        return "\n".join(f"## {code(str(path))}\n\n{for_comment(part)}" for path, part in each)
    return "\n\n".join(filter(None, map("\n".join, _blocks(report)))) + "\n"


def _blocks(report: Report) -> Iterator[Sequence[str]]:
    heading = ", ".join(filter(None, (report.verdict, summary(report.diagnostics))))
    if heading or not report.table:
        yield [f"### {(heading or 'no problems').capitalize()}"]
    yield [f"    {visible(line)}".rstrip() for line in (*report.above, *report.out, *report.below)]
    rows = [" | ".join(map(_cell, row)) for row in report.table]
    rule = [" | ".join("---" for _ in row) for row in report.table[:1]]
    yield [f"| {row} |" for row in (*rows[:1], *rule, *rows[1:])]
    for severity in Severity:
        group = [diagnostic for diagnostic in report.diagnostics if diagnostic.severity is severity]
        if group and severity is Severity.NOTE:
            yield [f"<details><summary>Notes: {len(group)}</summary>"]
            yield [*_items(group)]
            yield ["</details>"]
        else:
            yield [*_items(group)]


def _items(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """Yield a list item for each diagnostic, as many as there is room for."""
    room = MAX_CHARACTERS
    for number, diagnostic in enumerate(diagnostics):
        line = f":{diagnostic.place.line}" if diagnostic.place and diagnostic.place.line else ""
        at = f" at {code(f'{diagnostic.place.path}{line}')}" if diagnostic.place else ""
        notes = (f"  - {label}: {code(text)}" for label, text in diagnostic.notes)
        item = "\n".join(
            [
                f"- {diagnostic.severity} {code(diagnostic.id)}{at}: {sentence(diagnostic.message)}",
                *notes,
            ]
        )
        room -= len(item)
        if room < 0:
            yield f"- and {len(diagnostics) - number} more"
            return
        yield item


def _cell(text: str) -> str:
    return sentence(text).replace("|", "\\|")


def sentence(text: str) -> str:
    """Return a message whose names are in backticks; anything unusual makes it one code span."""
    parts = text.split("`")
    if len(parts) % 2 and all(map(_PROSE.fullmatch, parts[::2])) and all(parts[1::2]):
        return "".join(code(part) if at % 2 else part for at, part in enumerate(parts))
    return code(text)


def code(text: str) -> str:
    """Return a text of one line as a code span; a long one is cut."""
    shown = visible(text)
    shown = shown if len(shown) <= MAX_MESSAGE_LENGTH else f"{shown[: MAX_MESSAGE_LENGTH - 1]}…"
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if not shown.strip(" `") or shown[0] in " `" or shown[-1] in " `" else ""
    return f"{fence}{pad}{shown}{pad}{fence}"
