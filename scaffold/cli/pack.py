"""The `pack` commands: list, show, eject, upgrade."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scaffold.cli.console import PATH, exits, reports
from scaffold.cli.regenerate import overriding, told

if TYPE_CHECKING:
    from scaffold.diagnostics import Diagnostic
    from scaffold.files import RelPath
    from scaffold.teams.asked import Asked


def answering(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that answer a pack's questions, passed as the argument `asked`."""

    @click.option(
        "--data", metavar="KEY=VALUE", multiple=True, help="Answer a question of the pack."
    )
    @click.option(
        "--defaults", is_flag=True, help="Use the pack's defaults for all other questions."
    )
    @click.option("--trust", is_flag=True, help="Allow the pack to run code.")
    @functools.wraps(command)
    def with_answers(data: tuple[str, ...], defaults: bool, trust: bool, **others: Any) -> Any:
        if wrong := [pair for pair in data if "=" not in pair]:
            raise click.BadParameter(f"{wrong[0]!r} is not KEY=VALUE", param_hint="--data")
        from scaffold.teams.asked import Asked

        given = {name: value for name, _, value in (pair.partition("=") for pair in data)}
        return command(asked=Asked(given, {}, defaults, trust), **others)

    return with_answers


@click.group()
def pack() -> None:
    """List, show, copy and upgrade the packs of a project."""


@pack.command(name="list")
@click.argument("project", type=PATH, default=".")
@reports
def list_(project: Path) -> Iterable[Diagnostic]:
    """List the packs of PROJECT, topmost first, and the built-in packs."""
    from scaffold.teams.show import listed

    printed(listed(project))
    return ()


@pack.command(name="show")
@click.argument("what", metavar="[PROJECT|PACK]", default=".")
@click.option("--diff", is_flag=True, help="Show changes of templates since you copied them.")
@exits
def show_(what: str, diff: bool, form: str) -> int:
    """Show packs: their versions, files and template blocks.

    Without an argument, show the packs of the project in this directory.
    """
    from scaffold.teams.eject import changed_originals
    from scaffold.teams.show import as_json, described, of

    if diff:
        printed(line for text in changed_originals(Path(what)) for line in text.splitlines())
    elif form == "json":
        click.echo(json.dumps(as_json(of(what)), indent=2))
    else:
        printed(described(of(what)))
    return 0


def printed(lines: Iterable[str]) -> None:
    """Print untrusted lines, with terminal control characters escaped."""
    from scaffold.cli.report import visible

    for line in lines:
        click.echo(visible(line))


@pack.command()
@click.argument("template")
@click.argument("project", type=PATH, default=".")
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
@click.argument("project", type=PATH, default=".")
@click.option(
    "--to", "version", metavar="TAG", help="Upgrade to this version (default: the newest tag)."
)
@click.option("--pack", "source", metavar="ADDRESS", help="Switch to the pack at this address.")
@click.option("--dry-run", is_flag=True, help="Don't write anything; show what would be done.")
@overriding
@answering
@exits
def upgrade(
    project: Path,
    version: str | None,
    source: str | None,
    dry_run: bool,
    force: tuple[RelPath, ...],
    accept_conflicts: bool,
    asked: Asked,
    form: str,
) -> int:
    """Upgrade the pack of PROJECT, and update the project. Your edits are preserved."""
    from scaffold.cli.report import visible
    from scaffold.cli.summary import Summary
    from scaffold.regenerate import carry_out, undecided
    from scaffold.teams.upgrade import plan_upgrade

    made = plan_upgrade(project, source, version, asked)
    if form == "human":
        click.echo(visible(made.headline), err=True)
    plan = Summary(made.update)
    if dry_run or undecided(made.update, force, accept_conflicts):
        return told(plan, form)
    if sys.stdin.isatty() and form == "human":
        told(plan, form)
        if not click.confirm("Continue?", default=True, err=True):
            return 0
    applied = carry_out(made.update, force, accept_conflicts, made.metadata)
    return told(Summary(made.update, applied), form)
