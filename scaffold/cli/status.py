"""The `status` command: what projects were generated with, and whether they need work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from scaffold import __version__
from scaffold.cli.console import Ended, drawn, guarded
from scaffold.cli.projects import Projects

if TYPE_CHECKING:
    from scaffold.teams.status import Status

_LISTS = ("outdated", "edited", "conflicts", "orphans")


@click.command()
@click.argument("projects", metavar="[PROJECT]...", nargs=-1)
@click.option("--offline", is_flag=True, help="Don't ask for the newest versions of packs.")
@click.option("--behind", is_flag=True, help="Print the projects with a newer pack, one per line.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["human", "json", "markdown"]),
    default="human",
    metavar="FORMAT",
    help="Output format: human, json or markdown.",
)
@click.pass_context
def status(
    context: click.Context, projects: tuple[str, ...], offline: bool, behind: bool, form: str
) -> None:
    """Show which projects are behind, edited or in conflict.

    The default is the project that contains the current directory. A pattern such as 'servers/*'
    selects several projects.
    """
    from scaffold.cli.console import tell

    ended = guarded(lambda: _reported(Projects.of(projects), offline, behind, form), "human")
    tell(ended.out, ended.err)
    context.exit(ended.code)


def _reported(projects: Projects, offline: bool, behind: bool, form: str) -> Ended:
    from scaffold.teams.status import Source, status, with_sources

    found = [*map(status, projects.paths)]
    found = found if offline else with_sources(found)
    unknown = behind and any(one.source is Source.UNREACHABLE for one in found)
    code = 2 if unknown or any(one.failed for one in found) else 0
    if form == "json":
        return Ended(code, _json([one for one in found if one.behind or not behind]))
    err = drawn([p for one in found for p in one.problems], "human")[1]
    if behind:
        return Ended(code, "".join(f"{one.root}\n" for one in found if one.behind), err)
    if form == "markdown":
        return Ended(code, _markdown(found), err)
    return Ended(code, _table(found) if projects.several else _details(found[0]), err)


def _json(found: Iterable[Status]) -> str:
    import json

    from scaffold.cli.report import as_json

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
            **as_json(one.problems),
        }
        for one in found
    ]
    text = json.dumps({"version": __version__, "projects": projects}, indent=2, ensure_ascii=False)
    return f"{text}\n"


def _table(found: Sequence[Status]) -> str:
    """Return a line for each project, in columns, and the count of each verdict."""
    from scaffold.cli.report import visible

    rows = [("PROJECT", "MCP-SCAFFOLD", "PACK", "STATE")]
    rows += [(str(one.root), one.version or "?", _pack(one), _state(one)) for one in found]
    shown = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    lines = (
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in shown
    )
    counts = Counter(one.verdict for one in found).most_common()
    every = ", ".join(f"{count} {verdict}" for verdict, count in counts)
    projects = f"{len(found)} project{'' if len(found) == 1 else 's'}"
    return "".join(f"{line}\n" for line in (*lines, "", f"{projects}: {every}"))


def _details(one: Status) -> str:
    """Return everything about one project, a line for each matter."""
    from scaffold.cli.report import visible

    matters = [("mcp-scaffold", one.version or "?"), ("pack", _pack(one))]
    matters += [(name, ", ".join(paths)) for name in _LISTS if (paths := getattr(one, name))]
    lines = [f"{one.root}: {one.verdict}", *(f"  {name:12}  {text}" for name, text in matters)]
    return "".join(f"{visible(line)}\n" for line in lines)


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
    from scaffold.cli.report import visible

    return visible(text).replace("\\", "\\\\").replace("|", "\\|")
