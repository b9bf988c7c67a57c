"""The `status` command: what projects were generated with, and whether they need work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from scaffold import __version__
from scaffold.cli.console import reports
from scaffold.cli.projects import Projects
from scaffold.cli.report import Report, count, diagnosed, lines, visible

if TYPE_CHECKING:
    from scaffold.teams.status import Status

_LISTS = ("outdated", "edited", "conflicts", "orphans")


@click.command()
@click.argument("projects", metavar="[PROJECT]...", nargs=-1)
@click.option("--offline", is_flag=True, help="Don't ask for the newest versions of packs.")
@click.option("--behind", is_flag=True, help="Print the projects with a newer pack, one per line.")
@reports
def status(projects: tuple[str, ...], offline: bool, behind: bool) -> Report:
    """Show which projects are behind, edited or in conflict.

    The default is the project that contains the current directory. A pattern such as 'servers/*'
    selects several projects.
    """
    from scaffold.teams.status import Source, status, with_sources

    meant = Projects.of(projects)
    found = [*map(status, meant.paths)]
    found = found if offline else with_sources(found)
    unknown = behind and any(one.source is Source.UNREACHABLE for one in found)
    code = 2 if unknown or any(one.failed for one in found) else 0
    problems = tuple(problem for one in found for problem in one.problems)
    out = _table(found) if meant.several else _details(found[0])
    if behind:
        found = [one for one in found if one.behind]
        out = lines(str(one.root) for one in found)
    return Report(problems, code, out=out, data=_data(found), markdown=_markdown(found))


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


def _table(found: Sequence[Status]) -> str:
    """Return a line for each project, in columns, and the count of each verdict."""
    rows = [("PROJECT", "MCP-SCAFFOLD", "PACK", "STATE")]
    rows += [(str(one.root), one.version or "?", _pack(one), _state(one)) for one in found]
    shown = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    table = (
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in shown
    )
    counts = Counter(one.verdict for one in found).most_common()
    every = ", ".join(f"{number} {verdict}" for verdict, number in counts)
    return lines((*table, "", f"{count(len(found), 'project')}: {every}"))


def _details(one: Status) -> str:
    """Return everything about one project, a line for each matter."""
    matters = [("mcp-scaffold", one.version or "?"), ("pack", _pack(one))]
    matters += [(name, ", ".join(paths)) for name in _LISTS if (paths := getattr(one, name))]
    return lines(
        [f"{one.root}: {one.verdict}", *(f"  {name:12}  {text}" for name, text in matters)]
    )


def _pack(one: Status) -> str:
    """Return the pack and its version: `acme v1.0.0, newest v2.0.0`."""
    version = one.record.version if one.record else None
    newest = f", newest {one.newest}" if one.source == "behind" and one.newest else ""
    return " ".join(filter(None, [one.pack or "?", version])) + newest


def _state(one: Status) -> str:
    """Return the verdict with counts: `out of date, 2 edited, 1 orphan`."""
    counts = [(len(one.edited), "edited"), (len(one.orphans), "orphan")]
    counts += [(len(one.conflicts), "conflict")]
    words = (f"{n} {word}{'s' * (n > 1 and word != 'edited')}" for n, word in counts if n)
    return ", ".join([one.verdict, *words])


def _markdown(found: Iterable[Status]) -> str:
    heads = ["Project", "mcp-scaffold", "Pack", "State", "Edited", "Conflicts", "Orphans"]
    rows = [heads, ["---"] * len(heads)]
    for one in found:
        files = (
            "<br>".join(f"`{_cell(path)}`" for path in paths)
            for paths in (one.edited, one.conflicts, one.orphans)
        )
        facts = (str(one.root), one.version or "?", _pack(one), one.verdict)
        rows.append([*map(_cell, facts), *files])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _cell(text: str) -> str:
    """Return a text for a cell of a Markdown table."""
    return visible(text).replace("\\", "\\\\").replace("|", "\\|")
