"""The lock file: what was written last, and from which inputs."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.records import LOCK
from scaffold.disk.tree import Tree, digest
from scaffold.files import RECORDS, SPEC, Owner, RelPath, RenderedFile, RenderedFiles, is_reserved

FORMAT = 1

UPGRADE = "upgrade mcp-scaffold"

_SHA256 = re.compile(r"[0-9a-f]{64}")
_OWNERS = {owner.value: owner for owner in Owner}


class _NewerError(ValueError):
    """The lock has a format that only later versions know."""


class Entry(Struct, frozen=True):
    """The lock's entry for one file.

    `sha256` is the hash of the file written last, a text's line ends folded; `source` that of the
    template's output, if formatting changed it. `about` is the spec entry that the file belongs to.
    `template` is set for files that people edit: they move if it gets another path. An `orphan` is
    no longer in the spec, and stays because someone may have edited it.
    """

    owner: Owner
    sha256: str
    about: str | None = None
    orphan: bool = False
    template: str | None = None
    source: str | None = None

    @classmethod
    def of(cls, file: RenderedFile) -> Entry:
        """Return the entry for a wanted file."""
        template = None if file.owner is Owner.GENERATED else file.template
        source = None if file.unformatted is None else sha256(file.unformatted)
        hash = sha256(file.text) if file.data is None else digest(file.data)
        return cls(file.owner, hash, file.about, template=template, source=source)


class Lock(Struct, frozen=True):
    """The inputs of a project, and each of its files as last generated.

    `version` is that of mcp-scaffold; `inputs` maps the name of each input (the spec, the pack, …)
    to the SHA-256 of its contents.
    """

    version: str
    inputs: Mapping[str, str]
    files: Mapping[RelPath, Entry]

    @classmethod
    def of(cls, files: RenderedFiles, version: str, inputs: Mapping[str, str]) -> Lock:
        """Return the lock of a new project."""
        return cls(version, inputs, {path: Entry.of(file) for path, file in files.items()})

    def text(self) -> str:
        """Return the lock as JSON, one line per input and file to keep diffs small."""
        files: dict[str, object] = {p: _written(entry) for p, entry in self.files.items()}
        return (
            f'{{\n"format": {FORMAT},\n"version": {json.dumps(self.version)},\n'
            f'"inputs": {_lines(self.inputs)},\n'
            f'"files": {_lines(files)}\n}}\n'
        )


def sha256(text: str) -> str:
    """Return the hash of a text as the lock stores it: UTF-8, line ends folded."""
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def read(root: Path) -> Lock | None:
    """Read the lock of the project at `root`; return None if there is none.

    Raises ScaffoldError (`lock-broken`) for a lock that we cannot have written.
    """
    tree = Tree(root)
    found = tree.read(LOCK)
    if found is None:
        return None
    try:
        return parse(found.data)
    except (ValueError, RecursionError) as error:
        message = f"invalid lock file: {error}"
        hint = "restore it from version control; in a merge, take the lock of either side"
        if isinstance(error, _NewerError):
            message, hint = f"a newer mcp-scaffold wrote the lock file: {error}", UPGRADE
        raise ScaffoldError.of("lock-broken", message, root / LOCK, hint) from error


@lru_cache(maxsize=1)  # a run reads the lock again and again, to see whether it has changed
def parse(data: bytes) -> Lock:
    """Parse a lock from JSON. Raises ValueError with the reason if it is invalid."""
    match json.loads(data):
        case {"format": number} if number != FORMAT:
            known = type(number) is int and number > FORMAT
            kind = _NewerError if known else ValueError
            raise kind(f"it has format {number!r}, this version knows format {FORMAT}")
        case {
            "format": _,
            "version": str(version),
            "inputs": dict(inputs),
            "files": dict(files),
        }:
            return Lock(
                version,
                {name: _hash(name, value) for name, value in inputs.items()},
                {_path(p): _entry(p, value) for p, value in files.items() if p != SPEC},
            )
    raise ValueError("it lacks its format, version, inputs or files")


def _lines(rows: Mapping[str, object]) -> str:
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(rows[name])}" for name in sorted(rows))
    return f"{{\n{lines}\n}}" if lines else "{}"


def _written(entry: Entry) -> dict[str, object]:
    written: dict[str, object] = {"owner": entry.owner, "sha256": entry.sha256}
    if entry.source is not None:
        written["source"] = entry.source
    if entry.about is not None:
        written["about"] = entry.about
    if entry.template is not None:
        written["template"] = entry.template
    if entry.orphan:
        written["orphan"] = True
    return written


def _path(text: str) -> RelPath:
    path = RelPath(text)
    if is_reserved(path):
        raise ValueError(f"{text!r} is not a file of the project but of {RECORDS}/")
    return path


def _entry(path: str, value: object) -> Entry:
    match value:
        case {"owner": str(owner), "sha256": hash, **rest} if owner in _OWNERS:
            source = _hash(path, rest["source"]) if "source" in rest else None
            match rest.get("about"), rest.get("orphan", False), rest.get("template"):
                case str() | None as about, bool(orphan), str() | None as template:
                    return Entry(_OWNERS[owner], _hash(path, hash), about, orphan, template, source)
    raise ValueError(f"the entry of {path!r} is not one of a file")


def _hash(name: str, value: object) -> str:
    if isinstance(value, str) and _SHA256.fullmatch(value):
        return value
    raise ValueError(f"{name!r} has no SHA-256")
