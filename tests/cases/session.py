"""Sessions at a shell, written down: commands, and what each prints.

A page (`AREA/NAME.md`) has a session under each heading `## `, and what they begin with before the first.
Commands and what they print are indented, all else is for readers:

    $ mcp-scaffold validate blog.yaml --format=github
    ::error file=blog.yaml,line=3,col=1::...
    [2]

A session runs in a copy of its area's other files. Its PATH has the system's programs, and `bin/`, in which
there is `python`. Each command is a line for `sh`, and goes on where a line begins with `> `. `mcp-scaffold`
is this one, and `edit FILE OLD NEW` replaces the only OLD in a file. `killed EVENT END mcp-scaffold ...` is
killed before the first change to the disk that is this audit event on a path with this end. Standard output
comes before standard error, and the exit code last, if it is not 0. `...` stands for anything.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import jsonschema_rs

from tests import command
from tests.command import Ended
from tests.generated import REPOSITORY

CASES = Path(__file__).parent

_STEP = re.compile(r"^    \$ .*\n(?:    > .*\n|    >\n)*", re.MULTILINE)
_PRINTED = re.compile(r"(?:(?:    .*)?\n)*")
_SCHEMAS = {
    "breaking": "breaking",
    "pack upgrade": "regenerate",
    "regenerate": "regenerate",
    "status": "status",
    "validate": "diagnostics",
}
"""The commands whose JSON has a published schema."""


@dataclass
class Shell:
    """Where a session is; it began in the folder `home`."""

    home: Path
    folder: Path = field(init=False)

    def __post_init__(self) -> None:
        self.folder = self.home

    def run(self, line: str) -> str:
        """Run a command, and return what it prints, with its exit code."""
        words = (
            shlex.split(line)
            if line.startswith(("cd ", "edit ", "killed ", "mcp-scaffold "))
            else []
        )
        match words:
            case ["cd", to]:
                self.folder = Path(os.path.normpath(self.folder / to))
                return ""
            case ["edit", file, old, new]:
                path = self.folder / file
                text = path.read_bytes().decode()
                assert text.count(old) == 1, f"{file} has {text.count(old)} times {old!r}:\n{text}"
                path.write_bytes(text.replace(old, new).encode())
                return ""
            case ["mcp-scaffold", *rest]:
                ended = self._scaffold(*rest)
            case ["killed", event, end, "mcp-scaffold", *rest]:
                dying = command.dying(event, end)
                ended = command.run(*rest, cwd=self.folder, env=self._environment, before=dying)
            case _:
                ran = subprocess.run(
                    ["sh", "-c", line], cwd=self.folder, env=self._environment, check=False,
                    stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200,
                )  # fmt: skip
                ended = Ended(ran.returncode, ran.stdout, ran.stderr)
        printed = (ended.out + ended.err).replace(str(self.home), "/home")
        return printed + (f"[{ended.code}]\n" if ended.code else "")

    def _scaffold(self, *words: str) -> Ended:
        *words_, to = words if words[-2:-1] == (">",) else (*words, "")
        ended = command.run(*words_[: -1 if to else None], cwd=self.folder, env=self._environment)
        schemas = [
            name for of, name in _SCHEMAS.items() if words[: of.count(" ") + 1] == (*of.split(),)
        ]
        if "--format=json" in words and schemas:
            text = (REPOSITORY / f"specs/{schemas[0]}.schema.json").read_text("utf-8")
            jsonschema_rs.validator_for(text).validate(json.loads(ended.out))
        if to:
            (self.folder / to).write_text(ended.out, "utf-8")
        return Ended(ended.code, "" if to else ended.out, ended.err)

    @property
    def _environment(self) -> dict[str, str]:
        who = {"NAME": "ann", "EMAIL": "ann@example.org", "DATE": "2026-01-01T12:00:00Z"}
        git = {f"GIT_{role}_{key}": who[key] for role in ("AUTHOR", "COMMITTER") for key in who}
        return {
            **git,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
            "PATH": f"{self.home}/bin:/usr/bin:/bin",
            "PYTHONDONTWRITEBYTECODE": "1",
        }


@dataclass(frozen=True)
class Page:
    """A page of sessions: `begin` is what all of them begin with."""

    path: Path
    begin: str
    sessions: dict[str, str]

    @classmethod
    def read(cls, path: Path) -> Page:
        begin, *rest = re.split(r"^(?=## )", path.read_text("utf-8"), flags=re.MULTILINE)
        return cls(path, begin, {text[3:].partition("\n")[0]: text for text in rest})

    @property
    def name(self) -> str:
        return self.path.relative_to(CASES).with_suffix("").as_posix()

    def begun(self, folder: Path) -> tuple[Shell, str]:
        """Begin in a folder that is not there yet; return the text as it should be, too."""
        others = shutil.ignore_patterns("*.md")
        shutil.copytree(self.path.parent, folder, symlinks=True, ignore=others)
        (folder / "bin").mkdir()
        (folder / "bin/python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (folder / "bin/python").chmod(0o755)
        shell = Shell(folder)
        return shell, played(self.begin, shell)

    def again(self, begun: Shell, folder: Path) -> Shell:
        """A copy of a session that has begun."""
        shutil.copytree(begun.home, folder, symlinks=True)
        copy = Shell(folder)
        copy.folder = folder / begun.folder.relative_to(begun.home)
        return copy


def pages() -> Iterator[Page]:
    """All pages, by name."""
    yield from map(Page.read, sorted(CASES.glob("*/*.md")))


def played(text: str, shell: Shell) -> str:
    """Run the commands of a text; return it with what they print now where it said otherwise."""
    result, end = "", 0
    for step in _STEP.finditer(text):
        result += text[end : step.end()]
        match = _PRINTED.match(text[step.end() :].split("    $ ", 1)[0])
        assert match
        kept = match[0].rstrip()
        kept = f"{kept}\n" if kept else ""
        line = re.sub(r"\n    > ?", "\n", step[0].removeprefix("    $ ")).rstrip("\n")
        printed = "".join(
            f"    {printed_line}".rstrip() + "\n" for printed_line in shell.run(line).splitlines()
        )
        fits = _fits(kept, printed.rstrip("\n") + "\n" * bool(printed))
        result += kept if fits else _elided(printed, kept)
        end = step.end() + len(kept)
    return result + text[end:]


def _fits(expected: str, printed: str) -> bool:
    pattern = re.escape(expected).replace(re.escape("    ...\n"), "(?:.*\n)*")
    return re.fullmatch(pattern.replace(re.escape("..."), ".*"), printed) is not None


def _elided(printed: str, expected: str) -> str:
    """Leave out of what a command prints what was left out of a line before."""
    left_out = [
        line for line in expected.splitlines(keepends=True) if line.strip() != "..." in line
    ]
    lines = printed.splitlines(keepends=True)
    return "".join(
        next((candidate for candidate in left_out if _fits(candidate, line)), line)
        for line in lines
    )
