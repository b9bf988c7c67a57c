"""Run a command over several projects, one after the other, and join the reports into one."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

import click
from msgspec import Struct

from scaffold.cli.console import PATH, Ended, colored, guarded
from scaffold.cli.progress import Bar

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


def each(work: Callable[[Path], Ended], projects: Projects, form: str) -> Ended:
    """Run `work` on each project, and return one report with the worst exit code.

    A project that fails does not stop the others; an interrupt does.
    """
    if not projects.several:
        return work(*projects.paths)
    found: dict[Path, Ended] = {}
    with Bar(len(projects.paths), form) as bar:
        for path in projects.paths:
            found[path] = _guarded(work, form, path)
            if found[path].code == INTERRUPTED:
                break
            bar.advance(len(found))
    left_out = Ended(INTERRUPTED, verdict="left out")
    return joined({path: found.get(path, left_out) for path in projects.paths}, form)


def _guarded(work: Callable[[Path], Ended], form: str, project: Path) -> Ended:
    try:
        return guarded(partial(work, project), form)
    except KeyboardInterrupt:
        return Ended(INTERRUPTED, "", "interrupted: run again to finish\n", "interrupted")


def joined(results: Mapping[Path, Ended], form: str) -> Ended:
    """Return one report for several projects, with the worst of their exit codes."""
    from scaffold.cli.summary import nothing

    code = max((ended.code for ended in results.values()), default=0)
    match form:
        case "json":
            import json

            each = [
                {"project": str(path), "exit": ended.code, **json.loads(ended.out or "{}")}
                for path, ended in results.items()
            ]
            text = json.dumps({"projects": each}, indent=2, ensure_ascii=False)
            return Ended(code, f"{text}\n", "".join(ended.err for ended in results.values()))
        case "human":
            out = (_headed(path, ended.out, sys.stdout) for path, ended in results.items())
            _, quiet = nothing(form)
            said = [_headed(p, e.err, sys.stderr) for p, e in results.items() if e.err != quiet]
            return Ended(code, "".join(out), "".join([*said, _count(results)]))
        case "gitlab":
            import json

            issues = [issue for e in results.values() for issue in json.loads(e.out or "[]")]
            text = json.dumps(issues, indent=2, ensure_ascii=False)
            return Ended(code, f"{text}\n", "".join(ended.err for ended in results.values()))
    out = (ended.out for ended in results.values())
    return Ended(code, "".join(out), "".join(ended.err for ended in results.values()))


def _headed(project: Path, text: str, stream: TextIO) -> str:
    from scaffold.cli.report import visible

    head = f"==> {visible(str(project))} <=="
    if colored(stream):
        head = click.style(head, bold=True)
    return f"{head}\n{text}\n" if text else ""


def _count(results: Mapping[Path, Ended]) -> str:
    """Return how many projects there are of each verdict, such as `40 projects: 40 up to date`."""
    counts = Counter(ended.verdict for ended in results.values())
    every = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    return f"{len(results)} project{'' if len(results) == 1 else 's'}: {every}\n"
