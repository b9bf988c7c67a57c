"""The `breaking` command: what an edit of a spec breaks for callers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from scaffold.base.diagnostics.wording import did_you_mean
from scaffold.cli.console import EXPLAIN, PATH, reports
from scaffold.cli.projects import here
from scaffold.cli.report import Report

if TYPE_CHECKING:
    from scaffold.breaking.judging import Judged

_FAILING = {"error": ("error",), "warning": ("error", "warning"), "never": ()}
"""The levels that make the command fail, by the value of `--fail-on`."""


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
    from scaffold.base.files import SPEC
    from scaffold.breaking.change import rules
    from scaffold.breaking.judging import judge
    from scaffold.cli.findings import report

    for name in failing:
        if name not in _FAILING and name not in rules():
            near = did_you_mean(name, [*_FAILING, *rules()])
            raise click.UsageError(
                f"`{name}` is no level and no finding" + (f", {near}" if near else "")
            )
    path = here() if spec is None else spec
    if spec is None and not (path / SPEC).is_file():
        raise click.UsageError("give a SPEC, or run this in a project")
    file = path / SPEC if path.is_dir() else path
    judged = judge(file, against or "git:HEAD", allow_new)
    return report(judged, _code(judged, failing))


def _code(judged: Judged, failing: tuple[str, ...]) -> int:
    """Return 1 if a finding has one of the levels or ids, by default the level `error`."""
    levels = [name for name in failing if name in _FAILING] or ["error"]
    failing_levels = {level for name in levels for level in _FAILING[name]}
    return int(any(o.change.level in failing_levels or o.change.id in failing for o in judged.open))
