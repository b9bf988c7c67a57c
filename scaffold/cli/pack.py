"""The `pack` commands: list, show, new, eject, upgrade."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from scaffold.cli.answers import answering
from scaffold.cli.check import check
from scaffold.cli.console import PATH, Ended, drawn, exits, reports, tell
from scaffold.cli.projects import PROJECT, Projects, each, here
from scaffold.cli.regenerate import overriding, told

if TYPE_CHECKING:
    from scaffold.base.diagnostics import Diagnostic
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
@exits
def list_(project: Path, form: str) -> Ended:
    """List the packs of PROJECT, topmost first, and the built-in packs."""
    import json

    from scaffold.teams.show import listed

    packs = listed(project)
    if form == "json":
        return Ended(0, json.dumps({"packs": [one for _, one in packs]}, indent=2) + "\n")
    printed(line for line, _ in packs)
    return Ended()


@pack.command(name="show")
@click.argument("what", metavar="[PROJECT|DIR|NAME]", required=False)
@click.option("--diff", is_flag=True, help="Show changes of templates since you copied them.")
@exits
@answering
def show_(what: str | None, diff: bool, asked: Asked, form: str) -> Ended:
    """Show packs: their versions, files and template blocks.

    Without an argument, show the pack in this directory, or those of the project around it. A pack,
    in a directory or built in, is shown with the default text of each block.
    """
    import json

    from scaffold.packs.parts import TABLE
    from scaffold.teams.eject import changed_originals
    from scaffold.teams.show import as_json, described, of

    what = what or ("." if Path(TABLE).is_file() else str(here()))
    if diff:
        printed(line for text in changed_originals(Path(what)) for line in text.splitlines())
    elif form == "json":
        click.echo(json.dumps(as_json(of(what, asked)), indent=2))
    else:
        printed(described(of(what, asked)))
    return Ended()


def printed(lines: Iterable[str]) -> None:
    """Print untrusted lines, with terminal control characters escaped."""
    from scaffold.cli.report import visible

    for line in lines:
        click.echo(visible(line))


@pack.command(name="new")
@click.argument("name")
@click.argument("dest", type=PATH, required=False)
@reports
def new_(name: str, dest: Path | None) -> Iterable[Diagnostic]:
    """Create a new pack NAME in DEST. The default is a directory of that name."""
    from tempfile import TemporaryDirectory

    from scaffold.cli.report import visible
    from scaffold.teams.check import check as checked
    from scaffold.teams.check import golden, update, write_starter
    from scaffold.teams.copying import Asked

    folder = dest or Path(name)
    count = len(write_starter(name, folder))
    with TemporaryDirectory() as temporary:
        samples = checked(folder, Asked({}, {}, defaults=True), Path(temporary) / "servers").samples
    update(folder, golden(samples))
    click.echo(f"{name}: {count} files in {visible(str(folder))}", err=True)
    click.echo(f"next: mcp-scaffold pack check {shlex.quote(visible(str(folder)))}", err=True)
    return ()


@pack.command()
@click.argument("template")
@PROJECT
@reports
def eject(template: str, project: Path) -> Iterable[Diagnostic]:
    """Copy TEMPLATE to PROJECT's templates/, or update the copy."""
    from scaffold.teams.eject import eject

    made = eject(project, template)
    done = "merged into" if made.merged else "copied to"
    click.echo(f"@{made.origin} {done} {made.path}", err=True)
    if made.conflicts:
        conflicts = "1 conflict" if made.conflicts == 1 else f"{made.conflicts} conflicts"
        click.echo(f"{conflicts}: resolve them, and remove the markers", err=True)
        sys.exit(1)
    return ()


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
@exits
@answering
def upgrade(projects: tuple[str, ...], form: str, **options: Any) -> Ended:
    """Upgrade the pack of each PROJECT, and update the project. Your edits are preserved.

    The default is the project that contains the current directory. A pattern such as 'servers/*'
    selects several projects, which are upgraded without questions.
    """
    meant = Projects.of(projects)
    return each(partial(upgraded, form=form, several=meant.several, **options), meant, form)


def upgraded(
    project: Path,
    form: str,
    several: bool,
    version: str | None,
    source: str | None,
    check: bool,
    dry_run: bool,
    diff: bool,
    force: tuple[RelPath, ...],
    accept_conflicts: bool,
    asked: Asked,
) -> Ended:
    """Upgrade the pack of one project, or show what would be done.

    Of `several` projects, those with a built-in pack are left alone, and nobody is asked.
    """
    from scaffold.base.diagnostics import ScaffoldError
    from scaffold.cli.summary import Summary, nothing
    from scaffold.commands.regenerate import carry_out, undecided
    from scaffold.teams.upgrade import has_builtin_pack, plan_upgrade

    if several and not (source or version or asked.given) and has_builtin_pack(project):
        out, err = nothing(form)
        words = "built-in pack: nothing to do, it is upgraded with mcp-scaffold\n"
        return Ended(0, out, words if form == "human" else err, "built-in pack")
    try:
        asked = replace(asked, defaults=asked.defaults or check)
        made = plan_upgrade(project, source, version, asked)
    except ScaffoldError as error:
        if check and all(one.id == "pack-answer" for one in error.diagnostics):
            return Ended(1, *drawn(error.diagnostics, form), "behind")
        raise
    command = "mcp-scaffold pack upgrade"
    plan = Summary(made.update, check=check, diff=diff, command=command)
    shown = headed(made, told(plan, form), form)
    if check and made.is_news:
        shown = replace(shown, code=1, verdict="behind" if shown.code == 0 else shown.verdict)
    if check or dry_run or diff or undecided(made.update, force, accept_conflicts):
        return shown
    asking = not several and sys.stdin.isatty() and form == "human"
    if asking:
        tell(shown.out, shown.err)
        if not click.confirm("Continue?", default=True, err=True):
            return Ended()
    applied = carry_out(made.update, force, accept_conflicts, made.metadata)
    done = told(Summary(made.update, applied, command=command), form)
    return done if asking else headed(made, done, form)


def headed(made: Upgrade, report: Ended, form: str) -> Ended:
    """Return the report of an upgrade with the pack's versions and notes above it."""
    from scaffold.cli.report import visible

    if form == "human":
        notes = "".join(f"  {visible(line)}".rstrip() + "\n" for line in made.notes.splitlines())
        head = f"{visible(made.headline)}\n" + (f"\n{notes}\n" if notes else "")
        return replace(report, err=head + report.err)
    if form == "json":
        import json

        def version(record: Record | None) -> dict[str, str | None]:
            return {key: getattr(record, key, None) for key in ("source", "version", "commit")}

        now = made.pack.record
        pack = {"name": made.pack.name, "before": version(made.before), "now": version(now)}
        pack |= {"answers": dict(now.answers), "notes": made.notes}
        text = json.dumps({"pack": pack, **json.loads(report.out)}, indent=2, ensure_ascii=False)
        return replace(report, out=f"{text}\n")
    return report
