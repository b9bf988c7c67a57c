"""The `validate` command: check specs, fix them, and explain diagnostics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scaffold.cli.console import Ended, drawn, exits
from scaffold.cli.explained import explained
from scaffold.cli.projects import expanded, here

if TYPE_CHECKING:
    from scaffold.commands.fixing import Findings


@click.command()
@click.argument("specs", metavar="[SPEC]...", nargs=-1)
@click.option("--fix", "fixes", is_flag=True, help="Apply all safe fixes.")
@click.option("--all", "every", is_flag=True, help="Show repeated warnings in full.")
@click.option("--explain", metavar="ID", help="Explain a diagnostic, such as long-name.")
@exits
def validate(
    specs: tuple[str, ...], fixes: bool, every: bool, explain: str | None, form: str
) -> Ended:
    """Check specs for errors and for problems in clients and models.

    SPEC can be a project, or a pattern such as 'servers/*' for several. The default is the project
    that contains the current directory.
    """
    if explain is not None:
        click.echo(explained(explain))
        if not specs:
            return Ended()
    from scaffold.base.files import SPEC

    def is_spec(path: Path) -> bool:
        return path.is_file() or (path / SPEC).is_file()

    if not specs and not is_spec(here()):
        raise click.UsageError("give a SPEC, or run this in a project")
    named = expanded(specs, is_spec, "spec") if specs else (here(),)
    files = (path / SPEC if (path / SPEC).is_file() else path for path in named)
    paths = [*dict.fromkeys(files)]
    found = {path: _done(fixes, path) for path in paths}
    done = "".join(
        f"fixed {line}\n" for path, (fixed, _) in found.items() for line in _lines(path, fixed)
    )
    return _checked({path: left for path, (_, left) in found.items()}, done, form, every)


def _done(fixes: bool, path: Path) -> tuple[Findings, Findings]:
    """Check a spec, and fix it if `fixes` is true; return what was fixed, and what is left."""
    from scaffold.base.diagnostics import ScaffoldError
    from scaffold.commands.fixing import check, fix

    try:
        return fix(path) if fixes else ((), check(path))
    except ScaffoldError as error:
        return (), error.diagnostics


def _lines(path: Path, fixed: Findings) -> Iterator[str]:
    """Yield a line for each problem that was fixed: where it was, and what it was."""
    from scaffold.cli.report import visible

    for one in fixed:
        line = one.place.line if one.place else 1
        yield visible(f"{path}:{line}: {one.message}")


def _checked(found: Mapping[Path, Findings], done: str, form: str, every: bool) -> Ended:
    """Return the report about some specs: what was done, then all findings, sorted by place."""
    from scaffold.base.diagnostics import Severity, in_order
    from scaffold.cli.report import fixable, visible

    all_of_them = in_order(one for findings in found.values() for one in findings)
    wrong = {p for p, some in found.items() if any(d.severity is Severity.ERROR for d in some)}
    out, err = drawn(all_of_them, form, every)
    if form == "json" and len(found) > 1:
        import json

        listed = [{"path": str(path), "exit": 2 if path in wrong else 0} for path in found]
        out = json.dumps({"specs": listed, **json.loads(out)}, indent=2) + "\n"
    if form == "human" and not all_of_them:
        [*names] = found
        what = visible(str(names[0])) if len(names) == 1 else f"{len(names)} specs"
        err = f"{what}: no problems\n"
    if form == "human":
        err += fixable(all_of_them)
    return Ended(2 if wrong else 0, out, done + err)
