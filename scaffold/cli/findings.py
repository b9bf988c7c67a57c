"""Render what `breaking` found: for people, programs, pull requests and comments on them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import click

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.breaking.accepted import Found
from scaffold.breaking.change import Level, rules
from scaffold.breaking.judging import Judged
from scaffold.cli.markdown import code, sentence
from scaffold.cli.people import paragraph
from scaffold.cli.report import Remark, Report, count, span, visible

MOST = 15_000
"""The characters of each of the four lists in a comment, which GitHub limits to 65,536 in all."""

_LONGEST = 2000
"""The maximum length of an example or a refusal; all of it is in JSON."""

_WORDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "note"}


def report(judged: Judged, code: int) -> Report:
    """Return the report of what was found. Its JSON is described by specs/breaking.schema.json."""
    shown = [one for one in judged.open if one.change.level is not Level.INFO]
    if judged.baseline.is_missing:
        shown = list(judged.open)
    return Report(
        code=code,
        out="".join(f"{line}\n" for line in _human(judged)),
        data=_data(judged),
        remarks=tuple(_remark(judged, one) for one in shown),
        markdown="".join(f"{line}\n" for line in _markdown(judged)),
    )


def _human(judged: Judged) -> Iterator[str]:
    notes = []
    for one in judged.open:
        if one.change.level is Level.INFO:
            notes.append(one)
        else:
            yield paragraph(_diagnostic(judged, one), _notes(one))
    for label, some in (("note", notes), ("accepted", _accepted(judged))):
        for one in some:
            head = click.style(f"{label}[{one.change.id}]", bold=True)
            reason = f" ({one.accepted.reason})" if one.accepted else ""
            yield f"{head} {visible(one.change.message + reason)}"
    if notes or _accepted(judged):
        yield ""
    if judged.next not in (None, judged.baseline.version):
        yield f"next: {judged.next}"
    if judged.baseline.is_missing:
        yield "nothing to compare"
    else:
        yield f"{_counts(judged) or 'no changes'}, compared with {visible(judged.baseline.name)}"


def _notes(one: Found) -> Iterator[tuple[str, str]]:
    """Yield what proves a finding, and where the spec can accept it."""
    if one.change.refusal is not None:
        yield _example(one), _cut(json.dumps(one.change.witness, ensure_ascii=False))
        yield "refused", _cut(one.change.refusal)
    yield "where", one.where


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _example(one: Found) -> str:
    return "result" if one.change.id.startswith(("result", "output")) else "call"


def _diagnostic(judged: Judged, one: Found) -> Diagnostic:
    change = one.change
    severity = Severity.ERROR if change.level is Level.ERROR else Severity.WARNING
    place = judged.place(one)
    return Diagnostic(change.id, change.message, place, _hint(one), severity, change.where)


def _hint(one: Found) -> str | None:
    """Return how to avoid a finding, worded as a hint."""
    remedy = rules()[one.change.id].remedy.rstrip(".")
    return remedy and remedy[0].lower() + remedy[1:]


def _remark(judged: Judged, one: Found) -> Remark:
    if one.change.level is Level.INFO:
        return Remark("notice", one.change.id, judged.place(one), one.change.message)
    lines = [one.change.message, *(f"{label}: {text}" for label, text in _notes(one))]
    lines += [f"hint: {hint}"] if (hint := _hint(one)) else []
    return Remark(one.change.level, one.change.id, judged.place(one), "\n".join(lines))


def _data(judged: Judged) -> dict[str, object]:
    return {
        "spec": judged.loaded.document.name,
        "baseline": judged.baseline.name,
        "version": {
            "old": judged.baseline.version,
            "new": judged.loaded.spec.version,
            "next": judged.next,
        },
        "changes": [
            {
                "id": one.change.id,
                "level": one.change.level.value,
                "message": one.change.message,
                "hint": _hint(one) or None,
                "kind": one.change.kind,
                "subject": one.change.subject,
                **span(judged.place(one)),
                "where": one.where,
                "gone": one.change.is_gone,
                "proved": one.change.is_proved,
                "proof": None
                if one.change.refusal is None
                else {"instance": one.change.witness, "refusal": one.change.refusal},
                "accepted": one.accepted and {"reason": one.accepted.reason},
            }
            for one in judged.found
        ],
    }


def _markdown(judged: Judged) -> Iterator[str]:
    by_level = {level: [one for one in judged.open if one.change.level is level] for level in Level}
    name, baseline = code(judged.loaded.document.name), code(judged.baseline.name)
    if judged.baseline.is_missing:
        yield from ("### No older version of the server", "")
        yield from _rows(judged, judged.open)
        return
    yield f"### {_counts(judged) or 'No changes'} for callers of the server"
    yield ""
    yield f"{name} compared with {baseline}. {_version(judged)}".rstrip()
    for level in (Level.ERROR, Level.WARNING):
        if some := by_level[level]:
            yield from ("", f"**{_WORDS[level].capitalize()}s**", "")
            yield from _rows(judged, some)
    for title, some in (("Notes", by_level[Level.INFO]), ("Accepted", _accepted(judged))):
        if some:
            yield from ("", f"<details><summary>{title}: {len(some)}</summary>", "")
            yield from _rows(judged, some)
            yield from ("", "</details>")


def _rows(judged: Judged, some: Sequence[Found]) -> Iterator[str]:
    """Yield a list item for each finding, its proof in lines below, as many as there is room for."""
    room = MOST
    for number, one in enumerate(some):
        row = "\n".join(_row(judged, one))
        room -= len(row)
        if room < 0:
            yield f"- and {len(some) - number} more"
            return
        yield row


def _row(judged: Judged, one: Found) -> Iterator[str]:
    place = judged.place(one)
    at = code(f"{place.path}:{place.line}")
    yield f"- {code(one.change.id)} at {at}: {sentence(one.change.message)}"
    if one.accepted:
        yield f"  - reason: {code(one.accepted.reason)}"
    elif one.change.level is not Level.INFO:
        yield from (f"  - {label}: {code(text)}" for label, text in _notes(one))


def _version(judged: Judged) -> str:
    if judged.next in (None, judged.baseline.version):
        return ""
    return (
        f"Next version: {code(str(judged.next))}; the spec has {code(judged.loaded.spec.version)}."
    )


def _accepted(judged: Judged) -> list[Found]:
    return [one for one in judged.found if one.accepted]


def _counts(judged: Judged) -> str:
    """Return the number of findings of each level, and of those accepted."""
    counts = [
        (sum(one.change.level is level for one in judged.open), word)
        for level, word in _WORDS.items()
    ]
    words = [count(number, word) for number, word in counts if number]
    accepted = len(_accepted(judged))
    return ", ".join([*words, f"{accepted} accepted"] if accepted else words)
