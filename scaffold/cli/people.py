"""Reports as people read them in a terminal."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

import click

from scaffold.base.diagnostics import Diagnostic, Place, Severity
from scaffold.base.text import visible
from scaffold.cli.report import UP_TO_DATE, Report, count

FEW = 3
"""The number of similar warnings up to which each is shown in full."""

_TONES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}

_WORDS = {"create": "green", "delete": "red", "conflict": "red", "orphan": "yellow", "FAIL": "red"}
"""The colors of words at the start of a line."""

_SIGNS = {"@": "cyan", "-": "red", "+": "green"}
"""The colors of the lines of a diff."""


def for_people(
    report: Report, colored_out: bool = False, colored_err: bool = False
) -> tuple[str, str]:
    """Return a report as text for standard output and for standard error, in color or not."""
    if report.parts:
        return _joined(report, colored_out, colored_err)
    diff = _painted(report.diff) if colored_out else report.diff
    out = text_of([*columns(report.table), *report.out])
    drawn = draw(report.diagnostics, True, report.every)
    err = "\n".join(filter(None, (text_of(report.above), drawn, text_of(report.below))))
    return _in_color(out, colored_out) + diff, _in_color(err, colored_err)


def _joined(report: Report, colored_out: bool, colored_err: bool) -> tuple[str, str]:
    """Return the texts about several projects under their names, and how many have each verdict."""
    out, err = [], []
    for path, part in report.parts.items():
        head = click.style(f"==> {visible(str(path))} <==", bold=True)
        text, messages = for_people(part, colored_out, colored_err)
        out += [f"{_in_color(head, colored_out)}\n{text}\n"] if text else []
        is_news = messages and messages != text_of(UP_TO_DATE.below)
        err += [f"{_in_color(head, colored_err)}\n{messages}\n"] if is_news else []
    verdicts = Counter(part.verdict for part in report.parts.values()).most_common()
    counts = ", ".join(f"{number} {verdict}" for verdict, number in verdicts)
    return "".join(out), "".join([*err, f"{count(len(report.parts), 'project')}: {counts}\n"])


def text_of(lines: Sequence[str]) -> str:
    """Return lines as a text in color, with control characters escaped."""
    return "".join(f"{_line(line)}\n" for line in lines)


def _line(line: str) -> str:
    shown = visible(line, keep="\t")
    word = shown.partition(" ")[0]
    return click.style(word, _WORDS[word]) + shown[len(word) :] if word in _WORDS else shown


def columns(table: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows of a table as lines, with the cells below each other."""
    rows = [[visible(cell) for cell in row] for row in table]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = (
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
        )
        yield "  ".join(padded).rstrip()


def _in_color(text: str, colored: bool) -> str:
    return text if colored else click.unstyle(text)


def draw(diagnostics: Sequence[Diagnostic], color: bool = False, every: bool = False) -> str:
    """Render diagnostics as text that ends with a newline, or as an empty text if there are none.

    Similar warnings about a spec are shown as one, unless `every` is true.
    """
    if not diagnostics:
        return ""
    groups = [[diagnostic] for diagnostic in diagnostics] if every else _grouped(diagnostics)
    drawn = [_paragraph(first, rest) for first, *rest in groups]
    return _in_color("\n".join((*drawn, f"{summary(diagnostics)}\n")), color)


def _grouped(diagnostics: Sequence[Diagnostic]) -> list[list[Diagnostic]]:
    """Group more than `FEW` similar warnings; every other diagnostic is alone in its group."""
    alike: dict[object, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        path = diagnostic.place and diagnostic.place.path
        about = (
            (diagnostic.id, path)
            if diagnostic.pointer and diagnostic.severity is Severity.WARNING
            else id(diagnostic)
        )
        alike.setdefault(about, []).append(diagnostic)
    group_of = {id(group[0]): group for group in alike.values() if len(group) > FEW}
    grouped = {id(diagnostic) for group in group_of.values() for diagnostic in group[1:]}
    return [
        group_of.get(id(diagnostic), [diagnostic])
        for diagnostic in diagnostics
        if id(diagnostic) not in grouped
    ]


def _places(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the places of the first few diagnostics, and the number of the others."""
    places = [f"{d.place.line}:{d.place.column}" for d in diagnostics[:FEW] if d.place]
    rest = len(diagnostics) - len(places)
    more = f" and {count(rest, 'other place')}" if rest else ""
    return f"{', '.join(places)}{more} (`mcp-scaffold validate --all` shows each)"


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the number of diagnostics of each severity: `1 error, 2 warnings`."""
    counts = Counter(diagnostic.severity for diagnostic in diagnostics)
    return ", ".join(
        count(counts[severity], severity.value) for severity in Severity if counts[severity]
    )


def _paragraph(diagnostic: Diagnostic, alike: Sequence[Diagnostic]) -> str:
    """Render a diagnostic in color, and where others like it are."""
    tone = _TONES[diagnostic.severity]
    place = diagnostic.place
    head = click.style(f"{_address(place)}: ", bold=True) if place else ""
    label = click.style(f"{diagnostic.severity}[{diagnostic.id}]", tone, bold=True)
    notes = [("hint", diagnostic.hint)] if diagnostic.hint else []
    notes += [*diagnostic.notes, *([("more", _places(alike))] if alike else [])]
    lines = [
        f"{head}{label} {visible(diagnostic.message)}",
        *(_excerpts(diagnostic, tone) if diagnostic.severity is not Severity.NOTE else ()),
        *(f"{click.style(f'{label}:', 'cyan')} {visible(text)}" for label, text in notes),
    ]
    return "\n".join(lines) + "\n"


def _excerpts(diagnostic: Diagnostic, tone: str) -> Iterator[str]:
    """Yield the line of the file that a diagnostic is about, underlined, and that of a second place."""
    place, related = diagnostic.place, diagnostic.related
    shown = [(place, "^", tone, "")] if place else []
    shown += [(related.place, "-", "blue", f" {visible(related.message)}")] if related else []
    gutter = max((len(str(where.line)) for where, *_ in shown), default=0)
    for where, mark, ink, label in shown:
        if where.excerpt and where.excerpt.strip():
            text, before, under = _underlined(where)
            blank = click.style(f"{' ' * gutter} |", "blue")
            yield blank
            yield click.style(f"{where.line:>{gutter}} |", "blue") + f" {text}"
            yield f"{blank} {' ' * before}{click.style(mark * under + label, ink)}"


def _address(place: Place) -> str:
    numbers = [str(number) for number in (place.line, place.column) if number]
    return ":".join([visible(place.path), *numbers])


def _underlined(place: Place) -> tuple[str, int, int]:
    """Return the printable excerpt, its width before the place, and the place's width."""
    excerpt = (place.excerpt or "").replace("\t", " ")
    column = (place.column or 1) - place.excerpt_column
    before = visible(excerpt[:column])
    at = visible(excerpt[column : column + place.length])
    dots = "…" if place.excerpt_column > 1 else ""
    shown = dots + before + at + visible(excerpt[column + place.length :])
    return shown.rstrip(), _width(dots + before), max(1, _width(at))


def _width(text: str) -> int:
    """Return the width of a text in terminal columns."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(c) or c == "\u200d"
        else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def _painted(diff: str) -> str:
    """Return a unified diff in color, with control characters escaped."""
    lines = diff.split("\n")[:-1]
    return "".join(f"{click.style(visible(line), _SIGNS.get(line[:1]))}\n" for line in lines)
