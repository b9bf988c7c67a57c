"""The `publish` command: check, fix and bundle a project before anything is public."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from scaffold.cli.console import Ended, drawn, exits
from scaffold.cli.explained import explained
from scaffold.cli.projects import PROJECT

if TYPE_CHECKING:
    from scaffold.diagnostics import Diagnostic


@click.command()
@PROJECT
@click.option("--metadata", is_flag=True, help="Write what registries need, and fix what is wrong.")
@click.option("--check", is_flag=True, help="Check offline what registries would refuse.")
@click.option("--bundle", is_flag=True, help="Write dist/NAME-VERSION.mcpb for desktop clients.")
@click.option("--explain", metavar="ID", help="Explain a diagnostic, such as publish-marker.")
@exits
def publish(
    project: Path, metadata: bool, check: bool, bundle: bool, explain: str | None, form: str
) -> Ended:
    """Prepare PROJECT for the MCP registry and package indexes. Nothing is uploaded.

    The spec says how, under `publish`. The default is the project that contains the current
    directory. Exits with 1 if something would be refused.
    """
    if explain is not None:
        click.echo(explained(explain))
        if not (metadata or check or bundle):
            return Ended()
    if not (metadata or check or bundle):
        raise click.UsageError("give --check, --metadata or --bundle")
    from scaffold.cli.report import fixable, visible
    from scaffold.diagnostics import Severity
    from scaffold.publish.bundle import write
    from scaffold.publish.check import findings, keeps_from_bundling
    from scaffold.publish.subject import subject

    said = ""
    if metadata:
        from scaffold.cli.regenerate import told
        from scaffold.cli.summary import Summary
        from scaffold.publish.metadata import repair, update

        made, fixed = update(project), repair(project)
        if made.applied is None and fixed:  # what is right now no longer conflicts
            made = update(project)
            fixed += repair(project)
        if made.applied is None:
            return told(Summary(made.update, made.applied, made.resumed), form)
        said = "".join(f"{step.action} {step.path}\n" for step in made.applied.steps)
        said += "".join(f"fixed {line}\n" for line in map(_line, fixed))
    about = subject(project)
    found = findings(about)
    if not (check or metadata):
        found = tuple(one for one in found if keeps_from_bundling(one))
    failed = any(one.severity is Severity.ERROR for one in found if one.id != "bundle-stale")
    if bundle and not failed:
        path, hash = write(about)
        found = tuple(one for one in found if one.id != "bundle-stale")
        said += f"wrote {path}\nsha256 {hash}\n"
    out, err = drawn(found, form)
    if form == "human":
        sound = (check or metadata) and not found
        err += said + (f"{visible(str(project))}: nothing would be refused\n" if sound else "")
        err += fixable(found, "publish --metadata")
    code = int(any(one.severity is Severity.ERROR for one in found))
    return Ended(code, out, err)


def _line(fixed: Diagnostic) -> str:
    """Return where something was fixed, and what it was."""
    from scaffold.cli.report import visible

    place = fixed.place
    return visible(f"{place.path}:{place.line or 1}: {fixed.message}" if place else fixed.message)
