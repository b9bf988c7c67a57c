"""The commands about packs: list, show, eject, upgrade."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scaffold.console import PATH, reports, show

if TYPE_CHECKING:
    from scaffold.diagnostics import Diagnostic
    from scaffold.packs.fetching import Asked


def answering(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how the questions of a pack are answered, as the argument `asked`."""

    @click.option(
        "--data", metavar="KEY=VALUE", multiple=True, help="Answer a question of the pack."
    )
    @click.option("--defaults", is_flag=True, help="Take what the pack proposes for all others.")
    @click.option("--trust", is_flag=True, help="Let the pack run programs as you.")
    @functools.wraps(command)
    def with_answers(data: tuple[str, ...], defaults: bool, trust: bool, **others: Any) -> Any:
        if wrong := [pair for pair in data if "=" not in pair]:
            raise click.BadParameter(f"{wrong[0]!r} is not KEY=VALUE", param_hint="--data")
        from scaffold.packs.fetching import Asked

        given = {name: value for name, _, value in (pair.partition("=") for pair in data)}
        return command(asked=Asked(given, {}, defaults, trust), **others)

    return with_answers


@click.group()
def pack() -> None:
    """The packs of a project: what they are, your changes to them, newer versions of them."""


@pack.command(name="list")
@click.argument("project", type=PATH, default=".")
@reports
def list_(project: Path) -> Iterable[Diagnostic]:
    """The packs of PROJECT, the topmost first, and those that come with mcp-scaffold."""
    from scaffold.packs.show import listed
    from scaffold.report import visible

    for line in listed(project):
        click.echo(visible(line))
    return ()


@pack.command(name="show")
@click.argument("what", metavar="[PROJECT|PACK]", default=".")
@click.option("--diff", is_flag=True, help="Show what changed in originals that you have ejected.")
@reports
def show_(what: str, diff: bool) -> Iterable[Diagnostic]:
    """Version, origin, answers, files, owners and blocks of a project's packs, or of a PACK."""
    from scaffold.packs.eject import changed_originals
    from scaffold.packs.show import described
    from scaffold.report import visible

    lines = changed_originals(Path(what)) if diff else described(what)
    for line in "\n".join(lines).splitlines():
        click.echo(visible(line))
    return ()


@pack.command()
@click.argument("template")
@click.argument("project", type=PATH, default=".")
@reports
def eject(template: str, project: Path) -> Iterable[Diagnostic]:
    """Copy TEMPLATE into PROJECT's templates/, or bring the copy in step with the original."""
    from scaffold.packs.eject import eject

    made = eject(project, template)
    done = "merged into" if made.merged else "copied to"
    click.echo(f"@{made.origin} {done} {made.path}", err=True)
    if made.conflicts:
        click.echo(f"{made.conflicts} conflicts are marked there: choose, and remove the marks")
        sys.exit(1)
    return ()


@pack.command()
@click.argument("project", type=PATH, default=".")
@click.option("--to", "version", metavar="TAG", help="The version, by default the newest tag.")
@click.option("--pack", "source", metavar="ADDRESS", help="Take the pack from here from now on.")
@click.option("--dry-run", is_flag=True, help="Write nothing; say what would be done.")
@click.option("--force", metavar="PATH", multiple=True, help="Take our text; yours is kept beside.")
@click.option("--accept-conflicts", is_flag=True, help="Write both sides, between markers.")
@answering
@reports
def upgrade(
    project: Path,
    version: str | None,
    source: str | None,
    dry_run: bool,
    force: tuple[str, ...],
    accept_conflicts: bool,
    asked: Asked,
) -> Iterable[Diagnostic]:
    """Take PROJECT's pack to a newer version, and the project with it; what people wrote stays."""
    from scaffold import report
    from scaffold.files import RelPath
    from scaffold.packs.upgrade import apply_upgrade, plan_upgrade

    made = plan_upgrade(project, source, version, asked)
    click.echo(made.headline, err=True)
    click.echo(report.planned(made.planned), err=True, nl=False)
    conflicts = [step for step in made.planned.plan.conflicts if step.path not in force]
    if conflicts and not accept_conflicts:
        show([step.problem for step in conflicts if step.problem], "human")
        sys.exit(1)
    if not dry_run and (not sys.stdin.isatty() or click.confirm("Do it?", True, err=True)):
        apply_upgrade(made, [RelPath(path) for path in force], accept_conflicts)
    return made.planned.wanted.warnings
