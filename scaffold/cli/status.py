"""The `status` command: the versions that generated projects, and whether they need work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import click

from scaffold import __version__
from scaffold.cli.console import reports
from scaffold.cli.projects import PROJECTS, Projects
from scaffold.cli.report import Report, count, diagnosed
from scaffold.teams.status import Source, Status, with_sources
from scaffold.teams.status import status as status_of

_LISTS = ("outdated", "edited", "conflicts", "orphans")


@click.command()
@PROJECTS
@click.option("--offline", is_flag=True, help="Don't ask for the newest versions of packs.")
@click.option("--behind", is_flag=True, help="Print the projects with a newer pack, one per line.")
@reports
def status(projects: Projects, offline: bool, behind: bool) -> Report:
    """Show which projects are behind, edited or in conflict.

    The default is the project that contains the current directory. A pattern such as 'servers/*'
    selects several projects.
    """
    if behind and offline:
        raise click.UsageError(
            "--behind needs the newest versions, which --offline does not ask for"
        )
    statuses = [*map(status_of, projects.paths)]
    statuses = statuses if offline else with_sources(statuses)
    unknown = behind and any(project.source is Source.UNREACHABLE for project in statuses)
    code = 2 if unknown or any(project.failed for project in statuses) else 0
    problems = [problem for each in statuses for problem in (*each.problems, *each.warnings)]
    if behind:
        statuses = [project for project in statuses if project.behind]
        return Report(
            problems, code, out=[str(project.root) for project in statuses], data=_data(statuses)
        )
    if not projects.several:
        return Report(problems, code, table=[*_details(statuses[0])], data=_data(statuses))
    rows = [
        (str(project.root), project.version or "?", _pack(project), _state(project))
        for project in statuses
    ]
    table = [("PROJECT", "MCP-SCAFFOLD", "PACK", "STATE"), *rows]
    counts = Counter(project.verdict for project in statuses).most_common()
    every = ", ".join(f"{number} {verdict}" for verdict, number in counts)
    out = ["", f"{count(len(statuses), 'project')}: {every}"]
    return Report(problems, code, table=table, out=out, data=_data(statuses))


def _data(statuses: Iterable[Status]) -> dict[str, object]:
    projects = [
        {
            "project": str(project.root),
            "verdict": project.verdict,
            "version": project.version,
            "pack": {
                "name": project.pack,
                **{k: getattr(project.record, k, None) for k in ("source", "version", "commit")},
                "newest": project.newest,
                "behind": project.behind,
                "state": project.source,
            },
            **{name: list(getattr(project, name)) for name in _LISTS},
            "diagnostics": diagnosed((*project.problems, *project.warnings)),
        }
        for project in statuses
    ]
    return {"version": __version__, "projects": projects}


def _details(project: Status) -> Iterator[tuple[str, str]]:
    """Yield everything about one project, a row for each matter."""
    yield str(project.root), project.verdict
    yield "mcp-scaffold", project.version or "?"
    yield "pack", _pack(project)
    for name in _LISTS:
        if paths := getattr(project, name):
            yield name, ", ".join(paths)


def _pack(project: Status) -> str:
    """Return the pack and its version: `acme v1.0.0, newest v2.0.0`."""
    version = project.record.version if project.record else None
    newest = (
        f", newest {project.newest}" if project.source is Source.BEHIND and project.newest else ""
    )
    return " ".join(filter(None, [project.pack or "?", version])) + newest


def _state(project: Status) -> str:
    """Return the verdict with counts: `out of date, 2 edited, 1 orphan`."""
    counts = [(len(project.edited), "edited"), (len(project.orphans), "orphan")]
    counts += [(len(project.conflicts), "conflict"), (len(project.warnings), "warning")]
    words = (f"{n} {word}{'s' * (n > 1 and word != 'edited')}" for n, word in counts if n)
    return ", ".join([project.verdict, *words])
