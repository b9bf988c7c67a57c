"""Run a command over several projects, one after the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import click
from msgspec import Struct

from scaffold.cli.console import PATH, guarded
from scaffold.cli.report import Report

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells report SIGINT."""


class Projects(Struct, frozen=True):
    """The projects that a command is about.

    They are `several`, and reported so, if more than one was named or if a pattern was.
    """

    paths: tuple[Path, ...]
    several: bool

    @classmethod
    def of(cls, words: Sequence[str]) -> Projects:
        """Return the projects that the words name; without any, that around the current directory.

        The spec of a project stands for the project. A pattern stands for the projects that match
        it. Raises click.UsageError if none does.
        """
        several = len(words) > 1 or any(is_pattern(word) for word in words)
        named = expanded(words, is_project, "project") if words else (here(),)
        return cls(tuple(dict.fromkeys(map(_of_spec, named))), several)


def here() -> Path:
    """Return the project around the current directory, or the directory if there is none."""
    start = Path.cwd()
    around = next((folder for folder in (start, *start.parents) if is_project(folder)), start)
    return Path(os.path.relpath(around, start))


def _or_here(_: click.Context, __: click.Parameter, value: Path | None) -> Path:
    return here() if value is None else _of_spec(value)


PROJECT = click.argument("project", type=PATH, required=False, callback=_or_here)
"""An argument for one project; the default is the project around the current directory."""


def _of_spec(path: Path) -> Path:
    """Return the project of a path that names its spec, and any other path as it is."""
    from scaffold.base.files import SPEC

    return path.parent if path.name == SPEC and is_project(path.parent) else path


def is_pattern(word: str) -> bool:
    """Return whether a word is a pattern such as `servers/*`, and not a file of that name."""
    return any(character in word for character in "*?[") and not os.path.lexists(word)


def is_project(path: Path) -> bool:
    """Return whether a path looks like a project."""
    from scaffold.base.files import SPEC
    from scaffold.disk.records import LOCK

    return (path / LOCK).exists() or (path / SPEC).exists()


def expanded(words: Sequence[str], meant: Callable[[Path], bool], what: str) -> tuple[Path, ...]:
    """Return the paths that the words name, each once.

    A pattern stands for those of its matches that are `meant`. Raises click.UsageError if none is;
    `what` says what was looked for.
    """
    from glob import glob

    found: dict[Path, None] = {}
    for word in words:
        if not is_pattern(word):
            found[Path(word)] = None
            continue
        matches = [path for path in map(Path, sorted(glob(word, recursive=True))) if meant(path)]
        if not matches:
            raise click.UsageError(f"no {what} matches `{word}`")
        found |= dict.fromkeys(matches)
    return tuple(found)


def each(work: Callable[[Path], Report], projects: Projects) -> Report:
    """Run `work` on each project, and return one report with the worst exit code.

    A project that fails does not stop the others; an interrupt does.
    """
    if not projects.several:
        return _guarded(work, *projects.paths)
    left_out = Report(code=INTERRUPTED, verdict="left out")
    found = dict.fromkeys(projects.paths, left_out)
    for path in found:
        found[path] = _guarded(work, path)
        if found[path].code == INTERRUPTED:
            break
    return Report(code=max(part.code for part in found.values()), parts=found)


def _guarded(work: Callable[[Path], Report], project: Path) -> Report:
    """Return the report of the work; after Ctrl-C, whether the project is half-written."""
    try:
        return guarded(partial(work, project))
    except KeyboardInterrupt:
        from scaffold.disk.journal import pending

        half = "some files are already written" if pending(project) else "nothing is half-written"
        said = f"interrupted: {half}; run again to finish"
        data = {"interrupted": said}
        return Report((), INTERRUPTED, "interrupted", below=f"{said}\n", data=data)
