"""The `pack` commands: list, show, new, check, eject, upgrade."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError, Severity
from scaffold.base.files import RelPath
from scaffold.cli.answers import answering
from scaffold.cli.console import PATH, new_directory, reports
from scaffold.cli.projects import PROJECT, PROJECTS, Projects, each, here
from scaffold.cli.regenerate import looking, overriding
from scaffold.cli.regenerated import report_of
from scaffold.cli.report import UP_TO_DATE, Report, blocks, count
from scaffold.commands.regenerate import Regenerated, carry_out
from scaffold.disk.create import refuse_unless_vacant
from scaffold.packs.parts import TABLE
from scaffold.project.pack_record import Record
from scaffold.teams import check as checking
from scaffold.teams import eject as ejecting
from scaffold.teams.copying import Asked
from scaffold.teams.show import as_json, described, listed, of
from scaffold.teams.upgrade import Upgrade, has_builtin_pack, plan_upgrade


@click.group()
def pack() -> None:
    """Manage packs: list, show, eject, upgrade, create and check."""


@pack.command(name="list")
@PROJECT
@reports
def list_(project: Path) -> Report:
    """List the packs of PROJECT, topmost first, and the built-in packs."""
    packs = listed(project)
    return Report(out=[line for line, _ in packs], data={"packs": [data for _, data in packs]})


@pack.command()
@click.argument("what", metavar="[PROJECT|DIR|NAME]", required=False)
@click.option("--diff", is_flag=True, help="Show changes of templates since you copied them.")
@reports
@answering
def show(what: str | None, diff: bool, asked: Asked) -> Report:
    """Show packs: their versions, files and template blocks.

    Without an argument, show the pack in this directory, or those of the project around it. A pack,
    in a directory or built in, is shown with the default text of each block.
    """
    what = what or ("." if Path(TABLE).is_file() else str(here()))
    if diff:
        texts = ejecting.changed_originals(Path(what))
        changed = [line for text in texts for line in text.splitlines()]
        return Report(out=changed, data={"diff": changed})
    shown = of(what, asked)
    return Report(out=[*described(shown)], data=as_json(shown))


@pack.command()
@click.argument("name")
@click.argument("dest", type=PATH, required=False, callback=new_directory)
@reports
def new(name: str, dest: Path | None) -> Report:
    """Create a new pack NAME in DEST. The default is a directory of that name."""
    folder = dest or Path(name)
    number = checking.write_starter(name, folder)
    with TemporaryDirectory() as temporary:
        checked = checking.check(folder, Asked({}, {}, defaults=True), Path(temporary) / "servers")
    checking.update(folder, checking.golden(checked.samples))
    command = f"mcp-scaffold pack check {shlex.quote(str(folder))}"
    lines = [f"{name}: {number} files in {folder}", f"next: {command}"]
    return Report(below=lines, data={"pack": str(folder), "next": [command]})


@pack.command()
@click.argument("folder", metavar="[DIR]", type=PATH, default=".")
@click.option("--no-run", is_flag=True, help="Don't run the servers and their checks.")
@click.option(
    "--python",
    metavar="PATH",
    type=PATH,
    help="Run with this Python and its packages (default: install them in each server).",
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
        result = checking.check(folder, asked, work)
        trials = () if no_run else checking.tried(result.samples, python, Path(temporary) / "mypy")
        findings = (*result.findings, *trials)
        failed = any(finding.severity is Severity.ERROR for finding in findings)
        texts = {} if failed else checking.golden(result.samples)
    words = [f"{result.name}: {count(len(result.samples), 'server')} checked"]
    changed = [*checking.differences(folder, texts)] if compare and not failed else []
    if update and not failed:
        checking.update(folder, texts)
        words.append(f"{len(texts)} golden outputs written")
    if changed:
        words.append("golden outputs have changed: if that is intended, run with --update")
    code = 2 if failed else int(bool(changed))
    return Report(findings, code, diff="".join(changed), below=[", ".join(words)])


@pack.command()
@click.argument("template")
@PROJECT
@reports
def eject(template: str, project: Path) -> Report:
    """Copy TEMPLATE to PROJECT's templates/, or update the copy."""
    copy = ejecting.eject(project, template)
    lines = [f"@{copy.origin} {'merged into' if copy.merged else 'copied to'} {copy.path}"]
    if copy.conflicts:
        lines.append(f"{count(copy.conflicts, 'conflict')}: resolve them, and remove the markers")
    data = {"path": str(copy.path), "conflicts": copy.conflicts}
    return Report(code=int(bool(copy.conflicts)), below=lines, data=data)


@pack.command()
@PROJECTS
@click.option(
    "--to", "version", metavar="TAG", help="Upgrade to this version (default: the newest tag)."
)
@click.option(
    "--pack", "source", metavar="ADDRESS", help="Switch to the pack of this name or address."
)
@click.option("--check", is_flag=True, help="Don't write anything; exit with 1 if behind.")
@looking
@overriding
@reports
@answering
def upgrade(projects: Projects, **options: Any) -> Report:
    """Upgrade the pack of each PROJECT, and update the project. Your edits are preserved.

    The default is the project that contains the current directory. A pattern such as 'servers/*'
    selects several projects, which are upgraded without questions.
    """
    return each(partial(upgraded, several=projects.several, **options), projects)


def upgraded(
    project: Path,
    several: bool,
    version: str | None,
    source: str | None,
    check: bool,
    dry_run: bool,
    diff: bool,
    force: tuple[RelPath, ...],
    accept_conflicts: bool,
    asked: Asked,
) -> Report:
    """Upgrade the pack of one project, or show what would be done.

    Of `several` projects, those with a built-in pack are left alone.
    """
    if several and not (source or version or asked.given) and has_builtin_pack(project):
        words = ["built-in pack: nothing to do, it is upgraded with mcp-scaffold"]
        return replace(UP_TO_DATE, below=words, verdict="built-in pack")
    try:
        asked = replace(asked, defaults=asked.defaults or check)
        planned = plan_upgrade(project, source, version, asked)
    except ScaffoldError as error:
        if check and all(diagnostic.id == "pack-answer" for diagnostic in error.diagnostics):
            return Report(error.diagnostics, 1, "behind")
        raise
    run = Regenerated(planned.update)
    if not (check or dry_run or diff):
        run = carry_out(planned.update, force, accept_conflicts, planned.metadata)
    shown = headed(planned, report_of(run, check, diff, "mcp-scaffold pack upgrade"))
    if check and planned.is_news:
        return replace(shown, code=1, verdict=shown.verdict if shown.code else "behind")
    return shown


def headed(upgrade: Upgrade, report: Report) -> Report:
    """Return the report of an upgrade with the pack's versions and notes above it."""

    def version(record: Record | None) -> dict[str, str | None]:
        return {key: getattr(record, key, None) for key in ("source", "version", "commit")}

    now = upgrade.pack.record
    pack = {"name": upgrade.pack.name, "before": version(upgrade.before), "now": version(now)}
    pack |= {"answers": dict(now.answers), "notes": upgrade.notes}
    above = [upgrade.headline, *report.above]
    if upgrade.notes:
        notes = [f"  {line}".rstrip() for line in upgrade.notes.splitlines()]
        above = blocks([upgrade.headline], notes, report.above)
    return replace(report, above=above, data={"pack": pack, **report.data})
