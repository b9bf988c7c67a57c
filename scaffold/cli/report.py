"""What a command reports: one value for all commands, and for programs as JSON."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from scaffold.base.diagnostics import Diagnostic, Place


class Remark(NamedTuple):
    """A text about a place, for a pull request; `level` is `error`, `warning` or `notice`."""

    level: str
    title: str
    place: Place | None
    text: str


class Report(Struct, frozen=True):
    """What a command reports. Each format shows the part of it that its readers need.

    `code` is the exit code. `verdict` says in a word or two what became of a project.

    People get `out` and `diff` on standard output. On standard error they get `above`, the
    diagnostics and `below`, with blank lines between; warnings that are alike are one, unless
    `every` is true. All but `diff` may have colors, which are removed where nobody wants them.

    Programs get `data` and the diagnostics as JSON. Pull requests get `remarks` and the
    diagnostics, and as a comment `markdown`, by default a list of the diagnostics.

    `parts` are the reports about several projects; then there is nothing else but the code.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    code: int = 0
    verdict: str = ""
    out: str = ""
    diff: str = ""
    above: str = ""
    below: str = ""
    every: bool = False
    data: Mapping[str, object] = {}
    remarks: tuple[Remark, ...] = ()
    markdown: str = ""
    parts: Mapping[Path, Report] = {}


UP_TO_DATE = Report(
    verdict="up to date",
    below="already up to date\n",
    data={"written": False, "changes": (), "records": (), "consequences": ()},
)
"""The report about a project that needs no work."""


def as_json(report: Report) -> dict[str, object]:
    """Return a report as JSON; specs/diagnostics.schema.json describes what all commands have."""
    if report.parts:
        each = [
            {"project": str(path), "exit": part.code, **as_json(part)}
            for path, part in report.parts.items()
        ]
        return {"projects": each}
    return {**report.data, "diagnostics": diagnosed(report.diagnostics)}


def diagnosed(diagnostics: Iterable[Diagnostic]) -> list[dict[str, object]]:
    """Return diagnostics as described by specs/diagnostics.schema.json."""
    return [
        {
            "id": one.id,
            "severity": one.severity.value,
            "message": one.message,
            "hint": one.hint,
            **span(one.place),
            "pointer": one.pointer,
            "fix": [edit._asdict() for edit in one.fix.edits] if one.fix else None,
            "related": {"message": one.related.message, **span(one.related.place)}
            if one.related
            else None,
            "notes": [{"label": label, "text": text} for label, text in one.notes],
        }
        for one in diagnostics
    ]


def span(place: Place | None) -> dict[str, object]:
    """Return a place as in specs/diagnostics.schema.json."""
    return {key: getattr(place, key, None) for key in ("path", "line", "column", "length")}


def lines(texts: Iterable[str]) -> str:
    """Return untrusted texts as a line each."""
    return "".join(f"{visible(text)}\n" for text in texts)


def count(number: int, word: str) -> str:
    """Return a number of things: `1 file`, `2 files`."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def visible(text: str) -> str:
    """Return the text with control characters and invisible characters escaped.

    These are control and format characters, including those that change text direction, line and
    paragraph separators, and lone surrogates. Tabs become spaces.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character == "\t":
        return " "
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character != "\u200d":
        return character.encode("unicode_escape").decode()
    return character
