"""The `breaking` command: what an edit of a spec breaks for callers."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import click

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.base.diagnostics.wording import cut
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
"""The fields of a change that JSON has unchanged."""

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
    """Return the report of the findings. Its JSON is described by specs/breaking.schema.json.

    The exit code is 1 if a finding has one of the levels or ids, by default the level `error`.
    """
    levels = [name for name in failing if name in _FAILING] or ["error"]
    failing_levels = {level for name in levels for level in _FAILING[name]}
    ids_and_levels = {
        word for finding in judged.open for word in (finding.change.id, finding.change.level)
    }
    baseline = judged.baseline
    verdict, compared = "" if judged.findings else "no changes", f"compared with `{baseline.name}`"
    if baseline.is_missing:
        verdict, compared = "no older version", "nothing to compare"
    is_asked = judged.next not in (None, baseline.version)
    diagnostics = [_diagnostic(judged, finding) for finding in judged.findings]
    return Report(
        sorted(diagnostics, key=lambda finding: finding.severity is Severity.NOTE),
        int(not ids_and_levels.isdisjoint({*failing, *failing_levels})),
        verdict,
        below=[
            *([f"next version: `{judged.next}`"] if is_asked else []),
            compared if judged.findings else f"no changes, {compared}",
        ],
        every=True,
        data=_data(judged),
    )


def _diagnostic(judged: Judged, finding: Found) -> Diagnostic:
    """Return a finding, with its proof, and the place where the spec can accept it."""
    change, place = finding.change, judged.place(finding)
    if finding.accepted or change.level is Level.INFO:
        notes = (("accepted", finding.accepted.reason),) if finding.accepted else ()
        return Diagnostic(change.id, change.message, place, severity=Severity.NOTE, notes=notes)
    proof = []
    if change.refusal is not None:
        what = "result" if change.id.startswith(("result", "output")) else "call"
        proof = [(what, cut(json.dumps(change.witness, ensure_ascii=False), _MAX_VALUE_LENGTH))]
        proof += [("refused", cut(change.refusal, _MAX_VALUE_LENGTH))]
    return Diagnostic(
        change.id,
        change.message,
        place,
        _hint(finding),
        Severity(change.level),
        change.where,
        notes=(*proof, ("where", finding.where)),
    )


def _hint(finding: Found) -> str | None:
    """Return how to avoid a finding, worded as a hint."""
    remedy = rules()[finding.change.id].remedy.rstrip(".")
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
                **{key: getattr(finding.change, key) for key in _SAME},
                "hint": _hint(finding),
                **span(judged.place(finding)),
                "where": finding.where,
                "gone": finding.change.is_gone,
                "proved": finding.change.is_proved,
                "proof": None
                if finding.change.refusal is None
                else {"instance": finding.change.witness, "refusal": finding.change.refusal},
                "accepted": finding.accepted
                and {"reason": finding.accepted.reason, "until": finding.accepted.until},
            }
            for finding in judged.findings
        ],
    }
