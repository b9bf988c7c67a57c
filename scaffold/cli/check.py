"""The `check` command: all checks of a project in one report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from msgspec import Struct

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.base.files import SPEC
from scaffold.cli.console import chosen_format, rendered, reports, say
from scaffold.cli.projects import PROJECT, entering
from scaffold.cli.regenerate import updated
from scaffold.cli.report import Report, as_json, count
from scaffold.commands.check import checked, unwritten
from scaffold.commands.regenerate import lock_of
from scaffold.commands.validate import check as check_spec


class Step(Struct, frozen=True):
    """A step: its name, the command that runs it alone, its report, and its fix."""

    name: str
    command: str
    report: Report
    fix: str | None = None


@click.command("check")
@PROJECT
@reports
def check(project: Path) -> Report:
    """Run all checks of PROJECT.

    They cover its spec, its generated files, format, lint, types and tests. The pack's table has
    the commands of the last four. Exits with 1 if a check fails, and with 2 if the spec is invalid.
    """
    form, steps = chosen_format(), []
    for step in _steps(project):
        steps.append(step)
        if form in ("human", "github"):  # the log of a workflow is for people
            say(*_lines(step))
    failed = [step for step in steps if step.report.code]
    fixes = [*dict.fromkeys(step.fix for step in failed if step.fix)]
    fixes = [*entering(project), *fixes] if fixes else []
    stubs = [*unwritten(project)]
    lines = [f"todo  {stub} raises NotWritten" for stub in stubs]
    if failed:
        lines += [f"failed: {', '.join(step.name for step in failed)}"]
        lines += ["next:", *(f"  {fix}" for fix in fixes)] if fixes else []
    else:
        lines += [f"{count(len(steps), 'check')} passed"]
    return Report(
        ()
        if form == "human"
        else [diagnostic for step in steps for diagnostic in step.report.diagnostics],
        code=max(step.report.code for step in steps),
        below=lines,
        data={"steps": [*map(_as_json, steps)], "todo": stubs, "next": fixes},
        remarks=[remark for step in steps for remark in step.report.remarks],
    )


def _steps(project: Path) -> Iterator[Step]:
    """Yield each step when it is done. Stop at a spec with errors: other results would mislead."""
    lock_of(project)
    findings = check_spec(project / SPEC)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    fix = "mcp-scaffold validate --fix" if any(error.fix for error in errors) else None
    yield Step("spec", "mcp-scaffold validate", Report(findings, 2 if errors else 0), fix)
    if errors:
        return
    run = "mcp-scaffold regenerate"
    generated = updated(project, check=True)
    is_conflict = any(each.severity is Severity.ERROR for each in generated.diagnostics)
    yield Step("generated", f"{run} --check", generated, None if is_conflict else run)
    for result in checked(project):
        passed, output = Report(), result.output
        failed = Diagnostic(result.name, f"`{result.command}` failed\n{output}")
        report = Report((), 1, below=output.splitlines(), data={"output": output}, remarks=[failed])
        yield Step(result.name, result.command, report if result.code else passed, result.fix)


def _lines(step: Step) -> list[str]:
    """Return a step for people: a line, and its report below."""
    word = "FAIL" if step.report.code else "ok"
    is_news = step.report.code or step.report.diagnostics
    below = "".join(rendered(step.report, "human")).splitlines() if is_news else []
    return [f"{word:4}  {step.name:10} {step.command}", *(f"      {line}" for line in below)]


def _as_json(step: Step) -> dict[str, object]:
    fix = step.fix if step.report.code else None
    head = {"id": step.name, "exit": step.report.code, "command": step.command, "fix": fix}
    return {**head, **as_json(step.report)}
