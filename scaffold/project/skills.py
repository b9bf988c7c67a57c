"""The skills of a spec: read, checked as hosts check them (SEP-2640), and never changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError, Severity
from scaffold.base.diagnostics.wording import quote
from scaffold.base.files import RelPath
from scaffold.schema.engine import validator
from scaffold.schema.mismatch import mismatches
from scaffold.yaml.source import decode, parse

MANUAL = "SKILL.md"
MAX_FILES = 512
MAX_BYTES = 16 * 2**20
MAX_DESCRIPTION_LENGTH = 1024
"""The maximum sizes of a skill that every host accepts (SEP-2640, limits)."""

FRONTMATTER: Mapping[str, Any] = {
    "type": "object",
    "required": ["name", "description"],
    "properties": {
        "name": {
            "title": "skill name",
            "type": "string",
            "maxLength": 64,
            "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
            "patternErrorMessage": "use lowercase letters, digits and single dashes: `blog-search`",
        },
        "description": {"type": "string", "minLength": 1, "maxLength": MAX_DESCRIPTION_LENGTH},
        "license": {"type": "string"},
        "compatibility": {"type": "string", "minLength": 1, "maxLength": 500},
        "metadata": {"type": "object", "additionalProperties": {"type": "string"}},
        "allowed-tools": {"type": "string"},
    },
}
"""The keys of the Agent Skills specification; others are sent as they are."""

_HEAD = re.compile(r"---\n(.*?\n)---[ \t]*(\n|\Z)", re.DOTALL)


def read_skills(root: Path, path: RelPath) -> dict[RelPath, bytes]:
    """Return the files of all skills in the directory `path`, by their path below `root`.

    Hidden files are left out, as servers do. Raises ScaffoldError with every fault.
    """
    folder = root / path
    if not folder.resolve().is_relative_to(root.resolve()):
        message = "the directory of skills is outside the directory of the spec"
        raise ScaffoldError.of("skill-file", message, folder, "put the directory itself there")
    if folder.exists() and not folder.is_dir():
        message, hint = f"{quote(path)} is a file", "name the directory of all skills"
        raise ScaffoldError.of("skill-file", message, folder, hint)
    every = [file for file in sorted(folder.rglob("*")) if not _is_hidden(folder, file)]
    tops = [file.parent for file in every if file.name == MANUAL]
    faults = [*_folder_faults(folder, every, tops)]
    for top in tops if not faults else ():
        inside = [file for file in every if top in file.parents and file.is_file()]
        faults += _limit_faults(top, inside)
        faults += _manual_faults(top)
    if faults:
        raise ScaffoldError(faults)
    files = [file for file in every if file.is_file() and not {*tops}.isdisjoint(file.parents)]
    return {RelPath(file.relative_to(root).as_posix()): file.read_bytes() for file in files}


def _is_hidden(folder: Path, path: Path) -> bool:
    parts = path.relative_to(folder).parts
    return any(part.startswith((".", "__pycache__")) for part in parts)


def _folder_faults(folder: Path, every: list[Path], tops: list[Path]) -> Iterator[Diagnostic]:
    """Yield errors for files that do not belong to a skill, or cannot be served as a part of it."""
    for file in every:
        message = hint = ""
        if file.is_symlink():
            message, hint = f"{quote(file.name)} is a symlink", "put the file itself in its place"
        elif (
            file.parent == folder
            and file.is_dir()
            and not any(file in (t, *t.parents) for t in tops)
        ):
            message, hint = f"the skill {quote(file.name)} has no {MANUAL}", "add it"
        elif file.parent == folder and file.name == MANUAL:
            message, hint = "a skill needs a directory of its own", f"move it: `NAME/{MANUAL}`"
        else:
            try:
                RelPath(file.relative_to(folder).as_posix())
            except ValueError as error:
                message, hint = str(error), "rename it"
        if message:
            yield Diagnostic("skill-file", message, Place(str(file)), hint)


def _limit_faults(top: Path, files: list[Path]) -> Iterator[Diagnostic]:
    size = sum(file.stat().st_size for file in files)
    for number, most, noun in ((len(files), MAX_FILES, "files"), (size, MAX_BYTES, "bytes")):
        if number > most:
            message = f"the skill {quote(top.name)} has {number:,} {noun}; hosts take {most:,}"
            yield Diagnostic("skill-file", message, Place(str(top)), "split it, or remove some")


def _manual_faults(top: Path) -> Iterator[Diagnostic]:
    """Yield the errors in the frontmatter of a SKILL.md."""
    path = str(top / MANUAL)
    try:
        text = decode((top / MANUAL).read_bytes(), path).text.replace("\r\n", "\n")
        head = _HEAD.match(text)
        if head is None:
            message = f"{MANUAL} does not begin with frontmatter"
            hint = "begin with `---`, `name:`, `description:` and `---`, each on its own line"
            raise ScaffoldError.of("skill-frontmatter", message, Place(path, 1), hint)
        document = replace(parse(f"---\n{head[1]}", path), noun="the frontmatter")
    except ScaffoldError as error:
        yield from error.diagnostics
        return
    value = document.value
    findings = [*mismatches(validator(FRONTMATTER), FRONTMATTER, value, "", document)]
    yield from (finding.diagnostic(document, Severity.ERROR) for finding in findings)
    if not findings and isinstance(value, dict) and value["name"] != top.name:
        message = f"the directory of the skill is called {quote(top.name)}"
        place, hint = document.place("/name"), "give the skill and its directory the same name"
        yield Diagnostic("bad-skill-name", message, place, hint)
