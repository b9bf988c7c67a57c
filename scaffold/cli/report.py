"""Render diagnostics as text for people, as JSON, or as GitHub annotations."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from scaffold.diagnostics import Diagnostic, Place, Severity

if TYPE_CHECKING:  # `validate` also renders, and must not import what generates
    from scaffold.new import Created


def draw(diagnostics: Sequence[Diagnostic], format: str = "human", colour: bool = False) -> str:
    """Render diagnostics as text that ends with a newline; only `json` has text for none.

    `json` is one object, described by specs/diagnostics.schema.json. `github` is workflow
    commands, which annotate the lines of a pull request.
    """
    if format == "json":
        return json.dumps(as_json(diagnostics), indent=2) + "\n"
    if format == "github":
        return "".join(_github(diagnostic) + "\n" for diagnostic in diagnostics)
    return _human(diagnostics, colour) if diagnostics else ""


def created(made: Created) -> str:
    """Return what `new` created, and the next step."""
    name, folder = made.generated.project.name, visible(str(made.dest))
    count = len(made.generated.everything)
    return f"{name}: {count} files in {folder}\nnext: cd {folder}, then see README.md"


def visible(text: str) -> str:
    """Return the text with control characters and invisible characters escaped.

    These are control and format characters, including those that change text direction, line and
    paragraph separators, and lone surrogates. Tabs become spaces.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(character) for character in text)


def _visible(character: str) -> str:
    if character == "\t":
        return " "
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character != "\u200d":
        return character.encode("unicode_escape").decode()
    return character


def _human(diagnostics: Sequence[Diagnostic], colour: bool) -> str:
    drawn = [_paragraph(diagnostic, colour) for diagnostic in diagnostics]
    return "\n".join((*drawn, summary(diagnostics) + "\n"))


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the number of errors and warnings: `1 error, 2 warnings`."""
    counts = [
        (sum(d.severity is severity for d in diagnostics), severity.value) for severity in Severity
    ]
    return ", ".join(f"{n} {word}{'' if n == 1 else 's'}" for n, word in counts if n)


def _paragraph(diagnostic: Diagnostic, colour: bool) -> str:
    def style(text: str, fg: str | None = None, bold: bool = False) -> str:
        return click.style(text, fg=fg, bold=bold) if colour else text

    tone = "red" if diagnostic.severity is Severity.ERROR else "yellow"
    place = diagnostic.place
    head = style(f"{_address(place)}: ", bold=True) if place else ""
    label = style(f"{diagnostic.severity}[{diagnostic.id}]", tone, bold=True)
    lines = [f"{head}{label} {visible(diagnostic.message)}"]
    related = diagnostic.related
    shown = [(place, "^", tone, "")] if place else []
    shown += [(related.place, "-", "blue", f" {visible(related.message)}")] if related else []
    gutter = max((len(str(where.line)) for where, *_ in shown), default=0)
    for where, mark, color, label in shown:
        if where.excerpt and where.excerpt.strip():
            text, before, under = _underlined(where)
            lines += [
                style(f"{' ' * gutter} |", "blue"),
                style(f"{where.line:>{gutter}} |", "blue") + f" {text}",
                style(f"{' ' * gutter} |", "blue")
                + f" {' ' * before}"
                + style(mark * under + label, color),
            ]
    if diagnostic.hint:
        lines.append(style("hint:", "cyan") + f" {visible(diagnostic.hint)}")
    return "\n".join(lines) + "\n"


def _address(place: Place) -> str:
    numbers = [str(number) for number in (place.line, place.column) if number]
    return ":".join([visible(place.path), *numbers])


def _underlined(place: Place) -> tuple[str, int, int]:
    """Return the printable excerpt, its width before the place, and the place's width."""
    excerpt, column = place.excerpt or "", (place.column or 1) - place.excerpt_column
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


def as_json(diagnostics: Sequence[Diagnostic]) -> dict[str, object]:
    """Return diagnostics as described by specs/diagnostics.schema.json."""
    return {
        "diagnostics": [
            {
                "id": one.id,
                "severity": one.severity.value,
                "message": one.message,
                "hint": one.hint,
                **_span(one.place),
                "pointer": one.pointer,
                "related": {"message": one.related.message, **_span(one.related.place)}
                if one.related
                else None,
            }
            for one in diagnostics
        ]
    }


def _span(place: Place | None) -> dict[str, object]:
    return {key: getattr(place, key, None) for key in ("path", "line", "column", "length")}


def _github(diagnostic: Diagnostic) -> str:
    text = diagnostic.message + (f"\nhint: {diagnostic.hint}" if diagnostic.hint else "")
    return annotation(diagnostic.severity, diagnostic.id, diagnostic.place, text)


def annotation(level: str, title: str, place: Place | None, text: str) -> str:
    """Return a workflow command, escaped for GitHub's runner."""
    properties: dict[str, object] = {}
    if place:
        properties["file"] = place.path
        if place.line:
            properties["line"] = place.line
        if place.column:
            properties |= {"col": place.column, "endColumn": place.column + place.length}
    properties["title"] = title
    listed = ",".join(
        f"{name}={_escape(str(value)).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in properties.items()
    )
    return f"::{level} {listed}::{_escape(text)}"


def _escape(text: str) -> str:
    text = "\n".join(visible(line) for line in text.split("\n"))
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
