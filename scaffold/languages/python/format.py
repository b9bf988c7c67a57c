"""Format generated Python with ruff."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.base.files import RelPath, RenderedFile, RenderedFiles
from scaffold.languages.python.modules import is_source

# The machine's configuration, ignore files and cache must not affect the result. A server named
# `dist` must not be excluded as a build folder.
_ISOLATED = (
    "--isolated",
    "--no-cache",
    "--no-respect-gitignore",
    "--config=exclude=[]",
    "--target-version=py311",
)

_RULES = ("--select=I,F401", "--config=lint.isort.split-on-trailing-comma=false")

# A template has a line for each argument: what fits on one line is put there.
_LAYOUT = "--config=format.skip-magic-trailing-comma=true"

OPTIONS = " ".join((*_ISOLATED, *_RULES, _LAYOUT))

_MANY = 100  # the most files to name on one command line


def formatted(
    files: RenderedFiles, done: Mapping[RelPath, str] = MappingProxyType({})
) -> RenderedFiles:
    """Return the files with imports sorted, unused imports removed, and code formatted.

    `done` holds the texts of files that are already formatted. Raises ScaffoldError if files do
    not parse, with the template that rendered each.
    """
    python = {p: file for p, file in files.items() if is_source(p) and file.data is None}
    rendered = {path for path, file in python.items() if not file.as_written}
    texts = {**done, **_by_ruff(python, rendered - done.keys())}
    return RenderedFiles(
        {path: _with_text(file, texts.get(path, file.text)) for path, file in files.items()}
    )


def _with_text(file: RenderedFile, text: str) -> RenderedFile:
    return file if text == file.text else replace(file, text=text, unformatted=file.text)


def _by_ruff(
    python: Mapping[RelPath, RenderedFile], todo: Collection[RelPath]
) -> dict[RelPath, str]:
    """Format copies of the files `todo` in a temporary folder and return their texts."""
    if not todo:
        return {}
    targets = sorted(f"./{path}" for path in todo) if len(todo) < _MANY else ["."]
    with _copied(python, todo) as root:
        report = ["--fix", "--exit-zero", "--output-format=json"]
        findings = json.loads(_ruff(root, "check", *_RULES, *report, *targets))
        if faults := list(_faults(findings, root, python)):
            raise ScaffoldError(faults)
        _ruff(root, "format", "--quiet", _LAYOUT, *targets)
        return {path: (root / path).read_bytes().decode() for path in todo}


@contextmanager
def _copied(python: Mapping[RelPath, RenderedFile], todo: Collection[RelPath]) -> Iterator[Path]:
    """Yield a temporary folder with the files `todo`, and the others as empty ones."""
    with ExitStack() as stack:
        try:
            root = Path(stack.enter_context(tempfile.TemporaryDirectory())).resolve()
            for folder in {path.rpartition("/")[0] for path in python}:
                (root / folder).mkdir(parents=True, exist_ok=True)
            for path in todo:
                (root / path).write_bytes(python[path].text.encode())
            for path in python.keys() - todo:  # or ruff sorts their imports as third-party
                (root / path).touch()
        except OSError as error:
            message = f"cannot create temporary files: {error.strerror}"
            hint = "free some space, or set TMPDIR to another directory"
            place = Place(str(error.filename)) if error.filename else None
            raise ScaffoldError([Diagnostic("cannot-write", message, place, hint)]) from error
        yield root


def _ruff(root: Path, *arguments: str) -> str:
    import subprocess  # slow to import, and a run that checks formats nothing

    from ruff import find_ruff_bin

    settings = {name: value for name, value in os.environ.items() if not name.startswith("RUFF_")}
    command = [find_ruff_bin(), *arguments, *_ISOLATED]
    try:
        return subprocess.run(  # noqa: S603 - our own arguments, no text from the spec
            command, cwd=root, env=settings, check=True, capture_output=True, encoding="utf-8"
        ).stdout
    except subprocess.CalledProcessError as error:
        message = (
            "ruff could not format the Python that the templates render: "
            f"exit code {error.returncode}"
        )
        raise ScaffoldError([Diagnostic("template-python", message)]) from error


def _faults(
    findings: list[dict[str, Any]], root: Path, python: Mapping[RelPath, RenderedFile]
) -> Iterator[Diagnostic]:
    """Yield the first syntax error of each file among ruff's findings."""
    seen: set[RelPath] = set()
    for finding in findings:
        path = RelPath(Path(str(finding["filename"])).relative_to(root).as_posix())
        if finding["code"] != "invalid-syntax" or path in seen:
            continue
        seen.add(path)
        location = finding["location"]
        line, column = location["row"], location["column"]
        lines = python[path].text.split("\n")
        yield Diagnostic(
            "template-python",
            f"`{python[path].origin}` renders invalid Python: {finding['message']}",
            Place(path, line, column, excerpt=lines[line - 1] if line <= len(lines) else None),
        )
