"""Reports as comments on a pull request.

The text for people is in a code block, in which mentions, links, images and HTML have no effect.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from scaffold.cli.people import for_people, summary
from scaffold.cli.report import Report

MAX_CHARACTERS = 60_000
"""The maximum characters of a report in a comment, which GitHub limits to 65,536."""


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
