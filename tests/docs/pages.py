"""Follow a page of the documentation: save its files, run its commands, compare what they say."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.generated import REPOSITORY
from tests.project_tools import clean_environment
from tests.shell import bash

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^\$ ([^\n]*)\n((?:[^$\n][^\n]*\n)*)", re.MULTILINE)


def environment(folder: Path, python: Path = Path(sys.executable)) -> dict[str, str]:
    """Return one where `mcp-scaffold` is this one, and `uv run` starts what `python` has.

    The command of a project, which is not installed, is its package. `uv add` only writes down the
    dependency.
    """
    folder.mkdir()
    code = "from scaffold.cli.main import main; main()"
    bodies = {
        "mcp-scaffold": f"PYTHONPATH='{REPOSITORY}' exec '{sys.executable}' -c '{code}' \"$@\"",
        "uv": '[ "$1" = add ] && exec sed -i "/^dependencies/a \\    \\"$2\\"," pyproject.toml\n'
        '[ "$1" = --directory ] && cd "$2" && shift 2; [ "$1" = run ] || exit 0; shift\n'
        'while [ "${1#-}" != "$1" ]; do shift; done\n'
        f'PATH="{python.parent}:$PATH"; command -v "$1" > /dev/null || set -- python -m "$@"\n'
        'PYTHONPATH=src exec "$@"',
    }
    for name, body in bodies.items():
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    variables = clean_environment()
    return {**variables, "PATH": f"{folder}:{variables['PATH']}", "NO_PROXY": "127.0.0.1"}


def follow(
    page: str, folder: Path, env: Mapping[str, str], edit: Callable[[Path, str], None] | None = None
) -> tuple[Path, dict[str, str]]:
    """Follow a page in a folder; return the folder that it ends in, and what each command printed.

    A block of YAML or Python begins with a comment, the path of its file. `edit` gets the path and
    the text of one whose comment goes on after a comma: it is a part of that file. A command fails
    if the page shows an error, and prints at least the lines below it.
    """
    ran: dict[str, str] = {}
    for kind, body in _BLOCK.findall(page):
        if kind in ("yaml", "python"):
            head, _, text = body.partition("\n")
            name, _, part = head.removeprefix("# ").partition(", ")
            if part and edit:
                edit(folder / name, text)
            else:
                (folder / name).write_text(body, "utf-8")
        elif kind == "console":
            for command, expected in _COMMAND.findall(body):
                if command.startswith("cd "):
                    folder /= command.split()[1]
                    continue
                done = bash(command, folder, env)
                ran[command] = done.stdout + done.stderr
                assert done.returncode == ("error:" in expected), (command, ran[command])
                printed = {line.rstrip() for line in ran[command].splitlines()}
                assert {*expected.splitlines()} <= printed, ran[command]
    return folder, ran
