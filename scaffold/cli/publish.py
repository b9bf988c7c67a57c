"""The `publish` command: check, fix and bundle a project before anything is public."""

from __future__ import annotations

from pathlib import Path

import click

from scaffold.cli.console import Ended, drawn, exits
from scaffold.cli.explained import explained
from scaffold.cli.projects import PROJECT


@click.command()
@PROJECT
@click.option("--metadata", is_flag=True, help="Regenerate the project, with what registries need.")
@click.option("--check", is_flag=True, help="Check offline what registries would refuse.")
@click.option(
    "--bundle",
    is_flag=True,
    help="Write dist/NAME-VERSION.mcpb, and dist/server.json with its hash.",
)
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
    from scaffold.base.diagnostics import Severity
    from scaffold.cli.report import visible
    from scaffold.publish.bundle import write
    from scaffold.publish.check import findings, keeps_from_bundling, wanted
    from scaffold.publish.subject import subject

    said = ""
    if metadata:
        from scaffold.base.files import RelPath
        from scaffold.cli.regenerate import told
        from scaffold.cli.summary import Summary
        from scaffold.commands.regenerate import regenerate

        missing = [RelPath(p) for p in wanted(subject(project)) if not (project / p).is_file()]
        made = regenerate(project, missing, accept_conflicts=False)
        if made.applied is None:
            return told(Summary(made.update, made.applied, made.left_alone), form)
        said = "".join(f"{step.action} {step.path}\n" for step in made.applied.steps)
    about = subject(project)
    found = findings(about)
    if not (check or metadata):
        found = tuple(one for one in found if keeps_from_bundling(one))
    code = int(any(one.severity is Severity.ERROR for one in found))
    if bundle and not code:
        path, hash = write(about)
        said += f"wrote {path}\nsha256 {hash}\n"
    out, err = drawn(found, form)
    if form == "human":
        sound = (check or metadata) and not found
        err += said + (f"{visible(str(project))}: nothing would be refused\n" if sound else "")
    return Ended(code, out, err)
