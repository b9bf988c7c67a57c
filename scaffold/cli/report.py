"""The report of a command: the same structure for all commands, and for programs as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from scaffold.base.diagnostics import Diagnostic, Place


class Report(Struct, frozen=True):
    """The report of a command. Each format shows the parts that its readers need.

    `code` is the exit code. `verdict` is the state of a project in a word or two.

    People get the rows of `table`, the lines `out` and the `diff` on standard output. On standard
    error they get the lines `above`, the diagnostics and the lines `below`, with blank lines
    between; warnings that are alike are one, unless `every` is true. A comment on a pull request
    has all of these but the diff. Texts of others are as they were written: formats escape them.

    Programs get `data` and the diagnostics as JSON. Pull requests get `remarks` and the
    diagnostics.

    `parts` are the reports about several projects; then there is nothing else but the code.
    """

    diagnostics: Sequence[Diagnostic] = ()
    code: int = 0
    verdict: str = ""
    table: Sequence[Sequence[str]] = ()
    out: Sequence[str] = ()
    diff: str = ""
    above: Sequence[str] = ()
    below: Sequence[str] = ()
    every: bool = False
    data: Mapping[str, object] = {}
    remarks: Sequence[Diagnostic] = ()
    parts: Mapping[Path, Report] = {}


UP_TO_DATE = Report(
    verdict="up to date",
    below=("already up to date",),
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
            "id": diagnostic.id,
            "severity": diagnostic.severity.value,
            "message": diagnostic.message,
            "hint": diagnostic.hint,
            **span(diagnostic.place),
            "pointer": diagnostic.pointer,
            "fix": [diagnostic.fix.edit._asdict()] if diagnostic.fix else None,
            "related": {"message": diagnostic.related.message, **span(diagnostic.related.place)}
            if diagnostic.related
            else None,
            "notes": [{"label": label, "text": text} for label, text in diagnostic.notes],
        }
        for diagnostic in diagnostics
    ]


def span(place: Place | None) -> dict[str, object]:
    """Return a place as in specs/diagnostics.schema.json."""
    return {key: getattr(place, key, None) for key in ("path", "line", "column", "length")}


def blocks(*groups: Iterable[str]) -> list[str]:
    """Return the lines of some blocks, with a blank line between those that have any."""
    filled = filter(None, map(list, groups))
    return [line for block in filled for line in ("", *block)][1:]


def count(number: int, word: str) -> str:
    """Return a number of things: `1 file`, `2 files`."""
    return f"{number} {word}{'' if number == 1 else 's'}"
