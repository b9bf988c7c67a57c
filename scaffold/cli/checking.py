"""The `check` command: all that a project has to pass, in one report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from scaffold.cli.console import Ended, drawn, exits, tell
from scaffold.cli.projects import PROJECT
from scaffold.cli.regenerate import look

if TYPE_CHECKING:
    from scaffold.base.diagnostics import Diagnostic


class Step(Struct, frozen=True):
    """A step of the report: its name, its exit code, what it printed, and the command that mends it.

    `out` is what it printed for programs, in the format of the report.
    """

    name: str
    code: int
    command: str
    err: str
    fix: str | None = None
    out: str = ""


@click.command("check")
@PROJECT
@exits
def check(project: Path, form: str) -> Ended:
    """Check PROJECT: its spec, its generated files, format, lint, types and tests.

    Exits with 1 if a check fails, and with 2 if the spec is wrong. What the last four run is in
    the pack's table.
    """
    steps = []
    for step in _steps(project, form):
        steps.append(step)
        if form != "json":
            tell(step.out, _line(step))
    code = next((step.code for step in steps if step.code == 2), int(any(s.code for s in steps)))
    if form == "json":
        return Ended(code, json.dumps({"steps": [*map(_as_json, steps)]}, indent=2) + "\n")
    failed = [step for step in steps if step.code]
    if not failed:
        return Ended(0, "", f"{len(steps)} checks passed\n")
    fixes = [f"  {step.fix}" for step in failed if step.fix]
    then = ["next:", *fixes] if fixes else []
    names = ", ".join(step.name for step in failed)
    return Ended(code, "", "\n".join([f"failed: {names}", *then]) + "\n")


def _steps(project: Path, form: str) -> Iterator[Step]:
    """Yield each step when it is done. A spec with errors ends them: nothing else would be true."""
    from scaffold.base.files import SPEC
    from scaffold.commands.check import checked
    from scaffold.commands.fixing import check as findings
    from scaffold.commands.regenerate import lock_of

    lock_of(project)
    found = findings(project / SPEC)
    yield _spec(found, form)
    if _is_wrong(found):
        return
    looked = look(project, form, check=True, diff=False, prune=False)
    command = "mcp-scaffold regenerate"
    yield Step("generated", looked.code, f"{command} --check", looked.err, command, looked.out)
    if looked.code == 2:
        return
    for one in checked(project):
        code = int(one.code != 0)
        yield Step(one.name, code, one.command, one.output if code else "", one.fix)


def _spec(found: tuple[Diagnostic, ...], form: str) -> Step:
    out, err = drawn(found, form)
    is_wrong, command = _is_wrong(found), "mcp-scaffold validate"
    fix = f"{command} --fix" if is_wrong and any(one.fix for one in found) else None
    return Step("spec", 2 if is_wrong else 0, command, err, fix, out)


def _is_wrong(found: tuple[Diagnostic, ...]) -> bool:
    from scaffold.base.diagnostics import Severity

    return any(one.severity is Severity.ERROR for one in found)


def _line(step: Step) -> str:
    """Return a step for people: in a line, and what it printed if that matters."""
    word = "FAIL" if step.code else "ok"
    said = step.err if step.code or step.name == "spec" else ""
    return f"{word:4}  {step.name:10} {step.command}\n" + "".join(
        f"      {line}\n" for line in said.splitlines()
    )


def _as_json(step: Step) -> dict[str, object]:
    found = json.loads(step.out) if step.out else {"output": step.err}
    fix = step.fix if step.code else None
    return {"id": step.name, "exit": step.code, "command": step.command, "fix": fix, **found}
