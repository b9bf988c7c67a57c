"""The `pack check` command."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from scaffold.base.diagnostics import Severity
from scaffold.cli.answers import answering
from scaffold.cli.console import PATH, reports
from scaffold.cli.report import Report, count
from scaffold.disk.create import refuse_unless_vacant
from scaffold.teams.check import check as checked
from scaffold.teams.check import differences, golden, tried
from scaffold.teams.check import update as write
from scaffold.teams.copying import Asked


@click.command()
@click.argument("folder", metavar="[DIR]", type=PATH, default=".")
@click.option("--no-run", is_flag=True, help="Don't run ruff, mypy, pytest and the servers.")
@click.option(
    "--python",
    metavar="PATH",
    type=PATH,
    help="Run with this Python and its packages (default: uv installs them).",
)
@click.option("--update", is_flag=True, help="Write the golden outputs to DIR/golden.")
@click.option("--compare", is_flag=True, help="Exit with 1 if the golden outputs have changed.")
@click.option("--keep", metavar="DIR", type=PATH, help="Keep the servers in this directory.")
@reports
@answering
def check(
    folder: Path,
    no_run: bool,
    python: Path | None,
    update: bool,
    compare: bool,
    keep: Path | None,
    asked: Asked,
) -> Report:
    """Generate servers with the pack in DIR and check them.

    The servers are generated from built-in specs, with the pack's defaults and with each choice of
    its questions. This runs the pack's code with your permissions.
    """
    if update and compare:
        raise click.UsageError("--update and --compare cannot be combined")
    if keep:
        refuse_unless_vacant(keep)
    with TemporaryDirectory() as temporary:
        work = (keep or Path(temporary) / "servers").absolute()
        found = checked(folder, asked, work)
        trials = () if no_run else tried(found.samples, python, Path(temporary) / "mypy")
        findings = (*found.findings, *trials)
        failed = any(one.severity is Severity.ERROR for one in findings)
        texts = {} if failed else golden(found.samples)
    words = [f"{found.name}: {count(len(found.samples), 'server')} checked"]
    changed = [*differences(folder, texts)] if compare and not failed else []
    if update and not failed:
        write(folder, texts)
        words.append(f"{len(texts)} golden outputs written")
    if changed:
        words.append("golden outputs have changed: if that is intended, run with --update")
    code = 2 if failed else int(bool(changed))
    return Report(findings, code, diff="".join(changed), below=[", ".join(words)])
