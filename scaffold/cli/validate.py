"""The commands about specs: `validate` checks and fixes them, `schema` describes their format."""

from __future__ import annotations

from pathlib import Path

import click

from scaffold.base.diagnostics import Diagnostic, ScaffoldError, Severity, in_order
from scaffold.base.diagnostics.explain import warnings
from scaffold.base.files import SPEC
from scaffold.cli.console import EXPLAIN, reports, unknown
from scaffold.cli.projects import expanded, here
from scaffold.cli.report import Report, count, diagnosed
from scaffold.commands.validate import Findings, check, fix
from scaffold.format.schema import schema_text


@click.command()
@click.argument("specs", metavar="[SPEC]...", nargs=-1)
@click.option("--fix", "fixes", is_flag=True, help="Apply all safe fixes.")
@click.option(
    "--fail-on",
    "failing",
    multiple=True,
    metavar="LEVEL|ID",
    help="Exit with 1 from this level on (error or warning), or for this warning too.",
)
@click.option("--all", "every", is_flag=True, help="Show repeated warnings in full.")
@EXPLAIN
@reports
def validate(specs: tuple[str, ...], fixes: bool, failing: tuple[str, ...], every: bool) -> Report:
    """Check specs for errors and for problems in clients and models.

    SPEC can be a project, or a pattern such as 'servers/*' for several. The default is the project
    that contains the current directory.
    """
    for name in failing:
        if name not in (known := ["error", "warning", *sorted(warnings())]):
            raise unknown(f"`{name}` is no level and no warning", name, known)

    def is_spec(path: Path) -> bool:
        return path.is_file() or (path / SPEC).is_file()

    if not specs and not is_spec(here()):
        raise click.UsageError("give a SPEC, or run this in a project")
    named = expanded(specs, is_spec, "spec") if specs else (here(),)
    fixed: list[tuple[Path, Diagnostic]] = []
    left: list[Diagnostic] = []
    codes: dict[Path, int] = {}
    for path in dict.fromkeys(one / SPEC if (one / SPEC).is_file() else one for one in named):
        try:
            done, found = fix(path) if fixes else ((), check(path))
        except ScaffoldError as error:
            done, found = (), error.diagnostics
        fixed += [(path, one) for one in done]
        left += found
        codes[path] = _code(found, failing)
    data: dict[str, object] = {"fixed": diagnosed(one for _, one in fixed)}
    if len(codes) > 1:
        data["specs"] = [{"path": str(path), "exit": code} for path, code in codes.items()]
    fixable = sum(one.fix is not None for one in left)
    said = [f"{fixable} can be fixed with `mcp-scaffold validate --fix`"] if fixable else []
    if not left:
        what = str(*codes) if len(codes) == 1 else count(len(codes), "spec")
        said = [f"{what}: no problems"]
    above = [f"fixed {path}:{one.place and one.place.line}: {one.message}" for path, one in fixed]
    code = max(codes.values(), default=0)
    return Report(in_order(left), code, above=above, below=said, every=every, data=data)


def _code(left: Findings, failing: tuple[str, ...]) -> int:
    """Return the exit code: 2 with errors, 1 with warnings of the level or the ids `failing`."""
    if any(one.severity is Severity.ERROR for one in left):
        return 2
    return int(any("warning" in failing or one.id in failing for one in left))


@click.command()
def schema() -> None:
    """Print the JSON Schema of the spec format, for editors."""
    click.echo(schema_text(), nl=False)
