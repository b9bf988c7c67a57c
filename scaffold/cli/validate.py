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
from scaffold.packs import table


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
    paths = expanded(specs, is_spec, "spec") if specs else (here(),)
    fixed: list[tuple[Path, Diagnostic]] = []
    remaining: list[Diagnostic] = []
    codes: dict[Path, int] = {}
    for path in dict.fromkeys(path / SPEC if (path / SPEC).is_file() else path for path in paths):
        try:
            applied, findings = fix(path) if fixes else ((), check(path))
        except ScaffoldError as error:
            applied, findings = (), error.diagnostics
        fixed += [(path, finding) for finding in applied]
        remaining += findings
        codes[path] = _code(findings, failing)
    data: dict[str, object] = {"fixed": diagnosed(finding for _, finding in fixed)}
    if len(codes) > 1:
        data["specs"] = [{"path": str(path), "exit": code} for path, code in codes.items()]
    fixable = sum(finding.fix is not None for finding in remaining)
    lines = [f"{fixable} can be fixed with `mcp-scaffold validate --fix`"] if fixable else []
    if not remaining:
        subject = str(*codes) if len(codes) == 1 else count(len(codes), "spec")
        lines = [f"{subject}: no problems"]
    above = [
        f"fixed {path}:{finding.place and finding.place.line}: {finding.message}"
        for path, finding in fixed
    ]
    code = max(codes.values(), default=0)
    return Report(in_order(remaining), code, above=above, below=lines, every=every, data=data)


def _code(findings: Findings, failing: tuple[str, ...]) -> int:
    """Return the exit code: 2 with errors, 1 with warnings of the level or the ids `failing`."""
    if any(finding.severity is Severity.ERROR for finding in findings):
        return 2
    return int(any("warning" in failing or finding.id in failing for finding in findings))


@click.command()
@click.option("--pack", is_flag=True, help="Print the schema of pack.toml instead.")
def schema(pack: bool) -> None:
    """Print the JSON Schema of the spec format, for editors."""
    click.echo(table.schema_text() if pack else schema_text(), nl=False)
