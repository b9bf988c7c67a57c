"""Render diagnostics as text for people, as JSON, or for pull requests."""

from __future__ import annotations

import json
import shlex
import shutil
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import click

from scaffold.base.diagnostics import Diagnostic, Place, Severity

if TYPE_CHECKING:  # `validate` also renders, and must not import what generates
    from scaffold.commands.new import Created


FEW = 3
"""How many warnings that are alike are each shown in full."""


def draw(
    diagnostics: Sequence[Diagnostic],
    format: str = "human",
    color: bool = False,
    every: bool = False,
) -> str:
    """Render diagnostics as text that ends with a newline; only JSON has text for none.

    For people, warnings about a spec that are alike are one, unless `every` is true. `json` is one
    object, described by specs/diagnostics.schema.json. `github` and `gitlab` are as `annotated`
    returns them.
    """
    if format == "json":
        return json.dumps(as_json(diagnostics), indent=2) + "\n"
    if format in ("github", "gitlab"):
        return annotated(map(remark, diagnostics), format)
    return _human(diagnostics, color, every) if diagnostics else ""


def created(made: Created) -> str:
    """Return what was created, and the next commands, as text that ends with a newline."""
    from scaffold.commands.starter import TRY, TRY_PIP, TRY_PLAIN

    name, folder = made.generated.project.name, visible(str(made.dest))
    lines = [f"{name}: created in {folder}", "next:"]
    if folder != ".":
        lines.append(f"  cd {shlex.quote(folder)}")
    commands = [TRY_PLAIN] if "python-stdlib" in made.generated.packs else [TRY]
    if commands == [TRY] and not shutil.which("uv"):
        commands = list(TRY_PIP)
    is_there = commands[-1].split()[-1] in made.generated.files
    lines += [f"  {command}" for command in commands] if is_there else ["  see README.md"]
    return "\n".join(lines) + "\n"


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


def _human(diagnostics: Sequence[Diagnostic], color: bool, every: bool) -> str:
    groups = [[one] for one in diagnostics] if every else _grouped(diagnostics)
    drawn = [
        paragraph(first, color, [("more", _places(rest))] if rest else [])
        for first, *rest in groups
    ]
    return "\n".join((*drawn, f"{summary(diagnostics)}\n"))


def _grouped(diagnostics: Sequence[Diagnostic]) -> list[list[Diagnostic]]:
    """Return the diagnostics, each alone, or where there are many alike with the first of them."""
    alike: dict[object, list[Diagnostic]] = {}
    for one in diagnostics:
        path = one.place and one.place.path
        about = (one.id, path) if one.pointer and one.severity is Severity.WARNING else id(one)
        alike.setdefault(about, []).append(one)
    group_of = {id(group[0]): group for group in alike.values() if len(group) > FEW}
    grouped = {id(one) for group in group_of.values() for one in group[1:]}
    return [group_of.get(id(one), [one]) for one in diagnostics if id(one) not in grouped]


def fixable(diagnostics: Sequence[Diagnostic]) -> str:
    """Return a line about the diagnostics that `validate --fix` fixes, if any."""
    count = sum(one.fix is not None for one in diagnostics)
    return f"{count} can be fixed with `mcp-scaffold validate --fix`\n" if count else ""


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the number of errors and warnings: `1 error, 2 warnings`."""
    counts = [
        (sum(d.severity is severity for d in diagnostics), severity.value) for severity in Severity
    ]
    return ", ".join(f"{n} {word}{'' if n == 1 else 's'}" for n, word in counts if n)


def paragraph(diagnostic: Diagnostic, color: bool, notes: Iterable[tuple[str, str]] = ()) -> str:
    """Render a diagnostic for people, followed by lines of a label and a text each."""

    def style(text: str, fg: str | None = None, bold: bool = False) -> str:
        return click.style(text, fg=fg, bold=bold) if color else text

    tone = "red" if diagnostic.severity is Severity.ERROR else "yellow"
    place = diagnostic.place
    head = style(f"{_address(place)}: ", bold=True) if place else ""
    label = style(f"{diagnostic.severity}[{diagnostic.id}]", tone, bold=True)
    lines = [f"{head}{label} {visible(diagnostic.message)}"]
    related = diagnostic.related
    shown = [(place, "^", tone, "")] if place else []
    shown += [(related.place, "-", "blue", f" {visible(related.message)}")] if related else []
    gutter = max((len(str(where.line)) for where, *_ in shown), default=0)
    for where, mark, ink, label in shown:
        if where.excerpt and where.excerpt.strip():
            text, before, under = _underlined(where)
            lines += [
                style(f"{' ' * gutter} |", "blue"),
                style(f"{where.line:>{gutter}} |", "blue") + f" {text}",
                style(f"{' ' * gutter} |", "blue")
                + f" {' ' * before}"
                + style(mark * under + label, ink),
            ]
    hint = [("hint", diagnostic.hint)] if diagnostic.hint else []
    lines += [style(f"{label}:", "cyan") + f" {visible(text)}" for label, text in (*hint, *notes)]
    return "\n".join(lines) + "\n"


def _places(diagnostics: Sequence[Diagnostic]) -> str:
    """Return where the first of some diagnostics are, and how many there are."""
    found = [f"{d.place.line}:{d.place.column}" for d in diagnostics[:FEW] if d.place]
    left = len(diagnostics) - len(found)
    more = f" and {left} other place{'' if left == 1 else 's'}" if left else ""
    return f"{', '.join(found)}{more} (`mcp-scaffold validate --all` shows each)"


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
                **span(one.place),
                "pointer": one.pointer,
                "fixable": one.fix is not None,
                "related": {"message": one.related.message, **span(one.related.place)}
                if one.related
                else None,
            }
            for one in diagnostics
        ]
    }


def span(place: Place | None) -> dict[str, object]:
    """Return a place as in specs/diagnostics.schema.json."""
    return {key: getattr(place, key, None) for key in ("path", "line", "column", "length")}


class Remark(NamedTuple):
    """A text about a place, for a pull request; `level` is `error`, `warning` or `notice`."""

    level: str
    title: str
    place: Place | None
    text: str


def remark(diagnostic: Diagnostic) -> Remark:
    """Return a diagnostic as a remark."""
    text = diagnostic.message + (f"\nhint: {diagnostic.hint}" if diagnostic.hint else "")
    return Remark(diagnostic.severity, diagnostic.id, diagnostic.place, text)


def annotated(remarks: Iterable[Remark], format: str) -> str:
    """Return remarks as GitHub's workflow commands, or as a code quality report for GitLab."""
    if format == "github":
        return "".join(f"{_command(one)}\n" for one in remarks)
    return json.dumps([*_issues(remarks)], indent=2, ensure_ascii=False) + "\n"


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
            "description": "\n".join(visible(line) for line in text.split("\n")),
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
    text = "\n".join(visible(line) for line in text.split("\n"))
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
