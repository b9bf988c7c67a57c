"""The `status` command: what projects were generated with, and whether they need work."""

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
    found = [*map(status_of, projects.paths)]
    found = found if offline else with_sources(found)
    unknown = behind and any(one.source is Source.UNREACHABLE for one in found)
    code = 2 if unknown or any(one.failed for one in found) else 0
    problems = [problem for one in found for problem in one.problems]
    if behind:
        found = [one for one in found if one.behind]
        return Report(problems, code, out=[str(one.root) for one in found], data=_data(found))
    if not projects.several:
        return Report(problems, code, table=[*_details(found[0])], data=_data(found))
    rows = [(str(one.root), one.version or "?", _pack(one), _state(one)) for one in found]
    table = [("PROJECT", "MCP-SCAFFOLD", "PACK", "STATE"), *rows]
    counts = Counter(one.verdict for one in found).most_common()
    every = ", ".join(f"{number} {verdict}" for verdict, number in counts)
    out = ["", f"{count(len(found), 'project')}: {every}"]
    return Report(problems, code, table=table, out=out, data=_data(found))


def _data(found: Iterable[Status]) -> dict[str, object]:
    projects = [
        {
            "project": str(one.root),
            "verdict": one.verdict,
            "version": one.version,
            "pack": {
                "name": one.pack,
                **{k: getattr(one.record, k, None) for k in ("source", "version", "commit")},
                "newest": one.newest,
                "behind": one.behind,
                "state": one.source,
            },
            **{name: list(getattr(one, name)) for name in _LISTS},
            "diagnostics": diagnosed(one.problems),
        }
        for one in found
    ]
    return {"version": __version__, "projects": projects}


def _details(one: Status) -> Iterator[tuple[str, str]]:
    """Yield everything about one project, a row for each matter."""
    yield str(one.root), one.verdict
    yield "mcp-scaffold", one.version or "?"
    yield "pack", _pack(one)
    for name in _LISTS:
        if paths := getattr(one, name):
            yield name, ", ".join(paths)


def _pack(one: Status) -> str:
    """Return the pack and its version: `acme v1.0.0, newest v2.0.0`."""
    version = one.record.version if one.record else None
    newest = f", newest {one.newest}" if one.source is Source.BEHIND and one.newest else ""
    return " ".join(filter(None, [one.pack or "?", version])) + newest


def _state(one: Status) -> str:
    """Return the verdict with counts: `out of date, 2 edited, 1 orphan`."""
    counts = [(len(one.edited), "edited"), (len(one.orphans), "orphan")]
    counts += [(len(one.conflicts), "conflict")]
    words = (f"{n} {word}{'s' * (n > 1 and word != 'edited')}" for n, word in counts if n)
    return ", ".join([one.verdict, *words])
