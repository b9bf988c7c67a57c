"""The `pack` commands: list, show, new, eject, upgrade."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from scaffold.cli.answers import answering
from scaffold.cli.console import PATH, chosen_format, reports, tell
from scaffold.cli.pack_check import check
from scaffold.cli.projects import PROJECT, Projects, each, here
from scaffold.cli.regenerate import overriding
from scaffold.cli.report import UP_TO_DATE, Report, count, lines, visible

if TYPE_CHECKING:
    from scaffold.base.files import RelPath
    from scaffold.project.pack_record import Record
    from scaffold.teams.copying import Asked
    from scaffold.teams.upgrade import Upgrade


@click.group()
def pack() -> None:
    """Manage packs: list, show, eject, upgrade, create and check."""


pack.add_command(check)


@pack.command(name="list")
@PROJECT
@reports
def list_(project: Path) -> Report:
    """List the packs of PROJECT, topmost first, and the built-in packs."""
    from scaffold.teams.show import listed

    packs = listed(project)
    said = lines(line for line, _ in packs)
    return Report(out=said, data={"packs": [one for _, one in packs]})


@pack.command(name="show")
@click.argument("what", metavar="[PROJECT|DIR|NAME]", required=False)
@click.option("--diff", is_flag=True, help="Show changes of templates since you copied them.")
@reports
@answering
def show_(what: str | None, diff: bool, asked: Asked) -> Report:
    """Show packs: their versions, files and template blocks.

    Without an argument, show the pack in this directory, or those of the project around it. A pack,
    in a directory or built in, is shown with the default text of each block.
    """
    from scaffold.packs.parts import TABLE
    from scaffold.teams.eject import changed_originals
    from scaffold.teams.show import as_json, described, of

    what = what or ("." if Path(TABLE).is_file() else str(here()))
    if diff:
        changed = [line for text in changed_originals(Path(what)) for line in text.splitlines()]
        return Report(out=lines(changed), data={"diff": changed})
    shown = of(what, asked)
    return Report(out=lines(described(shown)), data=as_json(shown))


@pack.command(name="new")
@click.argument("name")
@click.argument("dest", type=PATH, required=False)
@reports
def new_(name: str, dest: Path | None) -> Report:
    """Create a new pack NAME in DEST. The default is a directory of that name."""
    from tempfile import TemporaryDirectory

    from scaffold.teams.check import check as checked
    from scaffold.teams.check import golden, update, write_starter
    from scaffold.teams.copying import Asked

    folder = dest or Path(name)
    number = len(write_starter(name, folder))
    with TemporaryDirectory() as temporary:
        samples = checked(folder, Asked({}, {}, defaults=True), Path(temporary) / "servers").samples
    update(folder, golden(samples))
    command = f"mcp-scaffold pack check {shlex.quote(str(folder))}"
    said = [f"{name}: {number} files in {folder}", f"next: {command}"]
    return Report(below=lines(said), data={"pack": str(folder), "next": [command]})


@pack.command()
@click.argument("template")
@PROJECT
@reports
def eject(template: str, project: Path) -> Report:
    """Copy TEMPLATE to PROJECT's templates/, or update the copy."""
    from scaffold.teams.eject import eject

    made = eject(project, template)
    said = [f"@{made.origin} {'merged into' if made.merged else 'copied to'} {made.path}"]
    if made.conflicts:
        said.append(f"{count(made.conflicts, 'conflict')}: resolve them, and remove the markers")
    data = {"path": str(made.path), "conflicts": made.conflicts}
    return Report(code=int(bool(made.conflicts)), below=lines(said), data=data)


@pack.command()
@click.argument("projects", metavar="[PROJECT]...", nargs=-1)
@click.option(
    "--to", "version", metavar="TAG", help="Upgrade to this version (default: the newest tag)."
)
@click.option(
    "--pack", "source", metavar="ADDRESS", help="Switch to the pack of this name or address."
)
@click.option("--check", is_flag=True, help="Don't write anything; exit with 1 if behind.")
@click.option("--dry-run", is_flag=True, help="Don't write anything; show what would be done.")
@click.option("--diff", is_flag=True, help="Don't write anything; show a diff.")
@overriding
@reports
@answering
def upgrade(projects: tuple[str, ...], **options: Any) -> Report:
    """Upgrade the pack of each PROJECT, and update the project. Your edits are preserved.

    The default is the project that contains the current directory. A pattern such as 'servers/*'
    selects several projects, which are upgraded without questions.
    """
    meant = Projects.of(projects)
    return each(partial(upgraded, several=meant.several, **options), meant)


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

    Of `several` projects, those with a built-in pack are left alone, and nobody is asked.
    """
    from scaffold.base.diagnostics import ScaffoldError
    from scaffold.cli.summary import Summary, report
    from scaffold.commands.regenerate import carry_out, undecided
    from scaffold.teams.upgrade import has_builtin_pack, plan_upgrade

    if several and not (source or version or asked.given) and has_builtin_pack(project):
        words = "built-in pack: nothing to do, it is upgraded with mcp-scaffold\n"
        return replace(UP_TO_DATE, below=words, verdict="built-in pack")
    try:
        asked = replace(asked, defaults=asked.defaults or check)
        made = plan_upgrade(project, source, version, asked)
    except ScaffoldError as error:
        if check and all(one.id == "pack-answer" for one in error.diagnostics):
            return Report(error.diagnostics, 1, "behind")
        raise
    command = "mcp-scaffold pack upgrade"
    plan = Summary(made.update, check=check, diff=diff, command=command)
    shown = headed(made, report(plan))
    if check and made.is_news:
        shown = replace(shown, code=1, verdict="behind" if shown.code == 0 else shown.verdict)
    if check or dry_run or diff or undecided(made.update, force, accept_conflicts):
        return shown
    asking = not several and sys.stdin.isatty() and chosen_format() == "human"
    if asking:
        tell(shown)
        if not click.confirm("Continue?", default=True, err=True):
            return Report()
    applied = carry_out(made.update, force, accept_conflicts, made.metadata)
    done = report(Summary(made.update, applied, command=command))
    return done if asking else headed(made, done)


def headed(made: Upgrade, report: Report) -> Report:
    """Return the report of an upgrade with the pack's versions and notes above it."""

    def version(record: Record | None) -> dict[str, str | None]:
        return {key: getattr(record, key, None) for key in ("source", "version", "commit")}

    notes = lines(f"  {line}".rstrip() for line in made.notes.splitlines())
    head = f"{visible(made.headline)}\n" + (f"\n{notes}\n" if notes else "")
    now = made.pack.record
    pack = {"name": made.pack.name, "before": version(made.before), "now": version(now)}
    pack |= {"answers": dict(now.answers), "notes": made.notes}
    return replace(report, above=head + report.above, data={"pack": pack, **report.data})
