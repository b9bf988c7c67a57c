"""Reports as comments on a pull request, which show hostile text as it is, and as nothing else.

Text that others wrote stands in code spans: in them, GitHub and GitLab know no mentions, links,
images, HTML or references.
"""

from __future__ import annotations

import re

from scaffold.base.diagnostics import Diagnostic
from scaffold.cli.people import summary
from scaffold.cli.report import Report, visible

LONGEST = 300
"""The maximum length of a text in a code span."""

_PROSE = re.compile(
    r"""(?: [A-Za-z ,;()'?]          # words
        | (?<=[A-Za-z])-(?=[A-Za-z])  # no GH-123
        | [.:](?=\s|$)                # no www.example.org, no https://
        | (?<=[ (])\+?\d{1,6}(?![\w-]) # a number, and no hash of a commit
    )*""",
    re.VERBOSE,
)
"""Words and punctuation that mean nothing in Markdown, and refer to nothing."""


def code(text: str) -> str:
    """Return a text of one line as a code span; a long one is cut."""
    shown = visible(text)
    shown = shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if not shown.strip(" `") or shown[0] in " `" or shown[-1] in " `" else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def sentence(text: str) -> str:
    """Return a message whose names are in backticks; anything unusual makes it one code span."""
    parts = text.split("`")
    if len(parts) % 2 and all(map(_PROSE.fullmatch, parts[::2])) and all(parts[1::2]):
        return "".join(code(part) if at % 2 else part for at, part in enumerate(parts))
    return code(text)


def for_comment(report: Report) -> str:
    """Return a report as a comment: the command's own, or a list of the diagnostics."""
    if report.markdown:
        return report.markdown
    lines = [f"- {code(one.id)}{_at(one)}: {sentence(one.message)}" for one in report.diagnostics]
    return "\n".join([f"### {summary(report.diagnostics) or 'No problems'}", "", *lines]) + "\n"


def _at(one: Diagnostic) -> str:
    place = one.place
    line = f":{place.line}" if place and place.line else ""
    return f" at {code(f'{place.path}{line}')}" if place else ""
