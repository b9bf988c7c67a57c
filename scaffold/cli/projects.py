"""Run a command over several projects, one after the other."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from functools import partial
from glob import glob
from pathlib import Path

import click
from msgspec import Struct

from scaffold.base.files import SPEC
from scaffold.cli.console import PATH, guarded
from scaffold.cli.report import Report
from scaffold.disk.records import LOCK

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells report SIGINT."""


class Projects(Struct, frozen=True):
    """The projects that a command works on.

    Reports treat them as `several` if a pattern or more than one path was given.
    """

    paths: tuple[Path, ...]
    several: bool


def here() -> Path:
    """Return the project around the current directory, or the directory if there is none."""
    start = Path.cwd()
    around = next((folder for folder in (start, *start.parents) if is_project(folder)), start)
    return Path(os.path.relpath(around, start))


def entering(folder: Path) -> list[str]:
    """Return the command that enters a directory, unless it is the current one."""
    return [f"cd {shlex.quote(str(folder))}"] if folder != Path() else []


def is_project(path: Path) -> bool:
    """Return whether a path looks like a project."""
    return (path / LOCK).exists() or (path / SPEC).exists()


def _of_spec(path: Path) -> Path:
    """Return the project of a path that names its spec, and any other path as it is."""
    return path.parent if path.name == SPEC and is_project(path.parent) else path


def _projects(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> Projects:
    paths = expanded(words, is_project, "project") if words else (here(),)
    is_several = len(words) > 1 or any(map(_is_pattern, words))
    return Projects(tuple(dict.fromkeys(map(_of_spec, paths))), is_several)


PROJECT = click.argument(
    "project",
    type=PATH,
    required=False,
    callback=lambda _, __, path: here() if path is None else _of_spec(path),
)
"""An argument for one project; the default is the project around the current directory."""

PROJECTS = click.argument("projects", metavar="[PROJECT]...", nargs=-1, callback=_projects)
"""An argument for several projects, or patterns of them; the default is as for `PROJECT`."""


def expanded(
    words: Sequence[str], is_wanted: Callable[[Path], bool], noun: str
) -> tuple[Path, ...]:
    """Return the paths that the words name, without duplicates.

    A pattern stands for its matches that `is_wanted` accepts. Raises click.UsageError if there are
    none; `noun` names them in the message.
    """
    result: list[Path] = []
    for word in words:
        paths = [Path(word)]
        if _is_pattern(word):
            paths = [
                path for path in map(Path, sorted(glob(word, recursive=True))) if is_wanted(path)
            ]
        if not paths:
            raise click.UsageError(f"no {noun} matches `{word}`")
        result += paths
    return tuple(dict.fromkeys(result))


def _is_pattern(word: str) -> bool:
    """Return whether a word is a pattern such as `servers/*`, and not a file of that name."""
    return any(character in word for character in "*?[") and not os.path.lexists(word)


def each(work: Callable[[Path], Report], projects: Projects) -> Report:
    """Run `work` on each project, and return one report with the worst exit code.

    A project that fails does not stop the others; an interrupt does.
    """
    if not projects.several:
        return _guarded(work, *projects.paths)
    left_out = Report(code=INTERRUPTED, verdict="left out")
    parts = dict.fromkeys(projects.paths, left_out)
    for path in parts:
        parts[path] = _guarded(work, path)
        if parts[path].code == INTERRUPTED:
            break
    return Report(code=max(part.code for part in parts.values()), parts=parts)


def _guarded(work: Callable[[Path], Report], project: Path) -> Report:
    try:
        return guarded(partial(work, project))
    except KeyboardInterrupt:  # a run undoes what it has written
        lines = ["interrupted: run again to finish"]
        return Report(code=INTERRUPTED, verdict="interrupted", below=lines)
