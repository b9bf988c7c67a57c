"""The `publish` command: check, fix and bundle a project before anything is public."""

from __future__ import annotations

from pathlib import Path

import click

from scaffold.base.diagnostics import Severity
from scaffold.base.files import RelPath
from scaffold.cli.console import EXPLAIN, reports
from scaffold.cli.projects import PROJECT
from scaffold.cli.regenerated import report_of
from scaffold.cli.report import Report
from scaffold.commands.regenerate import lock_of, regenerate
from scaffold.publish.bundle import write
from scaffold.publish.check import OF_BUNDLES, findings, wanted
from scaffold.publish.subject import subject


@click.command()
@PROJECT
@click.option("--metadata", is_flag=True, help="Regenerate the project, with what registries need.")
@click.option("--check", is_flag=True, help="Check offline what registries would refuse.")
@click.option(
    "--bundle",
    is_flag=True,
    help="Write dist/NAME-VERSION.mcpb, and dist/server.json with its hash.",
)
@EXPLAIN
@reports
def publish(project: Path, metadata: bool, check: bool, bundle: bool) -> Report:
    """Prepare PROJECT for the MCP registry and package indexes. Nothing is uploaded.

    The spec says how, under `publish`. The default is the project that contains the current
    directory. Exits with 1 if something would be refused.
    """
    if not (metadata or check or bundle):
        raise click.UsageError("give --check, --metadata or --bundle")
    lock_of(project)
    lines: list[str] = []
    if metadata:
        missing = [RelPath(p) for p in wanted(subject(project)) if not (project / p).is_file()]
        run = regenerate(project, missing, accept_conflicts=False)
        if run.applied is None:
            return report_of(run)
        lines = [f"{step.action} {step.path}" for step in run.applied]
    server = subject(project)
    problems = findings(server)
    if not (check or metadata):
        problems = tuple(problem for problem in problems if problem.id in OF_BUNDLES)
    code = int(any(problem.severity is Severity.ERROR for problem in problems))
    data: dict[str, object] = {}
    if bundle and not code:
        path, hash = write(server)
        lines += [f"wrote {path}", f"sha256 {hash}"]
        data = {"bundle": str(path), "sha256": hash}
    if (check or metadata) and not problems:
        lines.append(f"{project}: ready to publish")
    return Report(problems, code, below=lines, data=data)
