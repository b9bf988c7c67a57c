"""Draw a session at a terminal as an animated SVG, for the README."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

COLUMNS = 108
_WIDTH, _HEIGHT, _MARGIN = 8.43, 19, 18
_PAUSE_SECONDS, _READING_SECONDS, _LINES_A_SECOND = 1, 3, 4
"""How long a command is shown before its output, and its output, which takes longer with its lines."""
_COLORS = {"$": "#7ee787", "#": "#8b949e"}
_WORDS = {
    "ok": "#7ee787",
    "todo": "#e3b341",
    "error": "#ff7b72",
    "warning": "#e3b341",
    "works": "#7ee787",
}


def picture(scenes: Sequence[Sequence[Sequence[str]]]) -> str:
    """Return the SVG of some scenes, each of which begins with an empty screen.

    A scene has parts: the lines of a command, then its output. Commands begin with `$ `, remarks with
    `# `. Where nothing moves, the first scene is shown.
    """
    parts = [part for scene in scenes for part in scene]
    seconds = sum(_seconds(part) for part in parts)
    rows = max(sum(len(part) for part in scene) for scene in scenes)
    width = round(COLUMNS * _WIDTH) + 2 * _MARGIN
    height = rows * _HEIGHT + 2 * _MARGIN
    drawn = "\n".join(_groups(scenes, seconds))
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<style>
text {{ font: 14px ui-monospace, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre }}
g.later {{ opacity: 0 }}
@media (prefers-reduced-motion: no-preference) {{ g {{ animation: {seconds}s step-end infinite }} }}
</style>
<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>
{drawn}
</svg>
"""


def _groups(scenes: Sequence[Sequence[Sequence[str]]], seconds: int) -> Iterator[str]:
    """Yield a group for each part, with the rule that says when it is seen."""
    start = number = 0
    for index, scene in enumerate(scenes):
        end = start + sum(_seconds(part) for part in scene)
        row = 0
        for part in scene:
            number += 1
            times = [(0, 0), (start, 1), (end, 0)] if start else [(0, 1), (end, 0)]
            frames = " ".join(
                f"{100 * at / seconds:.2f}% {{ opacity: {opacity} }}" for at, opacity in times
            )
            yield f"<style>@keyframes part{number} {{ {frames} }}</style>"
            later = ' class="later"' if index else ""
            yield f'<g{later} style="animation-name: part{number}">'
            yield from _lines(part, row)
            yield "</g>"
            row += len(part)
            start += _seconds(part)


def _seconds(part: Sequence[str]) -> int:
    is_command = part[-1].startswith("$ ")
    return _PAUSE_SECONDS if is_command else _READING_SECONDS + len(part) // _LINES_A_SECOND


def _lines(part: Iterable[str], first: int) -> Iterator[str]:
    """Yield the text of each line that is not empty, from row `first` on."""
    for row, line in enumerate(part, first):
        if line:
            shown = line if len(line) <= COLUMNS else f"{line[: COLUMNS - 1]}…"
            y = _MARGIN + 14 + row * _HEIGHT
            yield f'<text x="{_MARGIN}" y="{y}">{_colored(shown)}</text>'


def _colored(row: str) -> str:
    if color := _COLORS.get(row[:1]):
        return f'<tspan fill="{color}">{escape(row)}</tspan>'
    match = re.match(r"(.*?\b)(ok|todo|error|warning|works)\b(?=  | \w|:|\[)", row)
    if not match:
        return escape(row)
    before, word = match.groups()
    rest = escape(row[match.end() :])
    return f'{escape(before)}<tspan fill="{_WORDS[word]}">{word}</tspan>{rest}'
