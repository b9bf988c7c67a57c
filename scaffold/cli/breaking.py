"""The `breaking` command: what an edit of a spec breaks for callers."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import click

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.base.files import SPEC
from scaffold.breaking.accepted import Found
from scaffold.breaking.change import Level, rules
from scaffold.breaking.judging import Judged, judge
from scaffold.cli.console import EXPLAIN, PATH, reports, unknown
from scaffold.cli.projects import here
from scaffold.cli.report import Report, span

_FAILING = {"error": ("error",), "warning": ("error", "warning"), "never": ()}
"""The levels that make the command fail, by the value of `--fail-on`."""

_SAME = ("id", "level", "message", "kind", "subject")
"""What JSON has of a change as it is."""

_MAX_VALUE_LENGTH = 2000
"""The maximum length of an example or a refusal; all of it is in JSON."""


@click.command()
@click.argument("spec", type=PATH, required=False)
@click.option(
    "--against",
    metavar="BASELINE",
    help="Compare with this: git:REV, a spec, a JSON file with a tool list, or a project. The "
    "default is git:HEAD, the last commit.",
)
@click.option(
    "--fail-on",
    "failing",
    multiple=True,
    metavar="LEVEL|ID",
    help="Exit with 1 from this level on (error, warning or never), or for this finding too.",
)
@click.option("--allow-new", is_flag=True, help="Pass if git:REV exists and has no such spec.")
@EXPLAIN
@reports
def breaking(
    spec: Path | None,
    against: str | None,
    failing: tuple[str, ...],
    allow_new: bool,
) -> Report:
    """Find changes of SPEC that break callers.

    SPEC can be a project. The default is the project that contains the current directory. A
    baseline `git:main` is the same file on the branch `main`.
    """
    for name in failing:
        if name not in (known := [*_FAILING, *rules()]):
            raise unknown(f"`{name}` is no level and no finding", name, known)
    path = here() if spec is None else spec
    if spec is None and not (path / SPEC).is_file():
        raise click.UsageError("give a SPEC, or run this in a project")
    file = path / SPEC if path.is_dir() else path
    judged = judge(file, against or "git:HEAD", date.today(), allow_new)
    return _report(judged, failing)


def _report(judged: Judged, failing: tuple[str, ...]) -> Report:
    """Return the report of what was found. Its JSON is described by specs/breaking.schema.json.

    The exit code is 1 if a finding has one of the levels or ids, by default the level `error`.
    """
    levels = [name for name in failing if name in _FAILING] or ["error"]
    failing_levels = {level for name in levels for level in _FAILING[name]}
    ids_and_levels = {word for one in judged.open for word in (one.change.id, one.change.level)}
    baseline = judged.baseline
    verdict, compared = "" if judged.found else "no changes", f"compared with `{baseline.name}`"
    if baseline.is_missing:
        verdict, compared = "no older version", "nothing to compare"
    is_asked = judged.next not in (None, baseline.version)
    diagnostics = [_diagnostic(judged, one) for one in judged.found]
    return Report(
        sorted(diagnostics, key=lambda one: one.severity is Severity.NOTE),
        int(not ids_and_levels.isdisjoint({*failing, *failing_levels})),
        verdict,
        below=[
            *([f"next version: `{judged.next}`"] if is_asked else []),
            compared if judged.found else f"no changes, {compared}",
        ],
        every=True,
        data=_data(judged),
    )


def _diagnostic(judged: Judged, one: Found) -> Diagnostic:
    """Return a finding, with what proves it, and where the spec can accept it."""
    change, place = one.change, judged.place(one)
    if one.accepted:
        notes = (("accepted", one.accepted.reason),)
        return Diagnostic(change.id, change.message, place, severity=Severity.NOTE, notes=notes)
    if change.level is Level.INFO:
        return Diagnostic(change.id, change.message, place, severity=Severity.NOTE)
    proof = []
    if change.refusal is not None:
        what = "result" if change.id.startswith(("result", "output")) else "call"
        proof = [(what, _cut(json.dumps(change.witness, ensure_ascii=False)))]
        proof += [("refused", _cut(change.refusal))]
    return Diagnostic(
        change.id,
        change.message,
        place,
        _hint(one),
        Severity(change.level),
        change.where,
        notes=(*proof, ("where", one.where)),
    )


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_VALUE_LENGTH else f"{text[:_MAX_VALUE_LENGTH]}…"


def _hint(one: Found) -> str | None:
    """Return how to avoid a finding, worded as a hint."""
    remedy = rules()[one.change.id].remedy.rstrip(".")
    return remedy[:1].lower() + remedy[1:] or None


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
                **{key: getattr(one.change, key) for key in _SAME},
                "hint": _hint(one),
                **span(judged.place(one)),
                "where": one.where,
                "gone": one.change.is_gone,
                "proved": one.change.is_proved,
                "proof": None
                if one.change.refusal is None
                else {"instance": one.change.witness, "refusal": one.change.refusal},
                "accepted": one.accepted
                and {"reason": one.accepted.reason, "until": one.accepted.until},
            }
            for one in judged.found
        ],
    }
