"""Draw a session at a terminal as SVG, for the README."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

COLUMNS = 108
_WIDTH, _HEIGHT, _MARGIN = 8.43, 19, 18
_COLORS = {"$": "#7ee787", "#": "#8b949e"}
_WORDS = {"ok": "#7ee787", "todo": "#e3b341", "error": "#ff7b72", "warning": "#e3b341"}


def picture(lines: Iterable[str]) -> str:
    """Return the SVG of some lines; commands begin with `$ `, remarks with `# `."""
    rows = [line if len(line) <= COLUMNS else f"{line[: COLUMNS - 1]}…" for line in lines]
    width = round(COLUMNS * _WIDTH) + 2 * _MARGIN
    height = len(rows) * _HEIGHT + 2 * _MARGIN
    drawn = "\n".join(
        f'<text x="{_MARGIN}" y="{_MARGIN + 14 + n * _HEIGHT}">{_colored(row)}</text>'
        for n, row in enumerate(rows)
        if row
    )
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<style>text {{ font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre }}</style>
<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>
{drawn}
</svg>
"""


def _colored(row: str) -> str:
    if color := _COLORS.get(row[:1]):
        return f'<tspan fill="{color}">{escape(row)}</tspan>'
    found = re.match(r"(.*?\b)(ok|todo|error|warning)\b(?=  | \w|:|\[)", row)
    if not found:
        return escape(row)
    before, word = found.groups()
    rest = escape(row[found.end() :])
    return f'{escape(before)}<tspan fill="{_WORDS[word]}">{word}</tspan>{rest}'
