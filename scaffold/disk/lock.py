"""The lock file: what was written last, and what it was made from."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.disk.merge import split
from scaffold.disk.records import LOCK, base
from scaffold.disk.tree import Tree
from scaffold.files import RECORDS, Owner, RelPath, RenderedFile, RenderedFiles, is_reserved

FORMAT = 1

_SHA256 = re.compile(r"[0-9a-f]{64}")
_OWNERS = {owner.value: owner for owner in Owner}


@dataclass(frozen=True, slots=True)
class Entry:
    """What the lock holds of one file.

    `sha256` is the hash of the text that we wrote last, line ends folded; `source` is that of what
    the template printed, if formatting changed it. `about` is the entry of the spec that the file
    belongs to. `template` is what made it, for files that people write in: if it is given another
    path, they go there. An `orphan` is no longer asked for by the spec, and stays because a person
    wrote in it.
    """

    owner: Owner
    sha256: str
    about: str | None = None
    orphan: bool = False
    template: str | None = None
    source: str | None = None

    @classmethod
    def of(cls, file: RenderedFile) -> Entry:
        """The entry of a file that is asked for."""
        template = None if file.owner is Owner.GENERATED else file.template
        source = None if file.unformatted is None else sha256(file.unformatted)
        return cls(file.owner, sha256(file.text), file.about, template=template, source=source)


@dataclass(frozen=True, slots=True)
class Lock:
    """What the project was made from, and each of its files as the templates gave it last.

    `version` is that of mcp-scaffold; `inputs` maps the name of each input (the spec, the pack, …)
    to the SHA-256 of its contents. A lock that is not `intact` was not written by one run: git has
    put it together line by line from two, say.
    """

    version: str
    inputs: Mapping[str, str]
    files: Mapping[RelPath, Entry]
    intact: bool = True

    @classmethod
    def of(cls, files: RenderedFiles, version: str, inputs: Mapping[str, str]) -> Lock:
        """The lock of a project made afresh."""
        return cls(version, inputs, {path: Entry.of(file) for path, file in files.items()})

    def text(self) -> str:
        """The lock as JSON; one line for each input and file, so that its diffs are small too."""
        return (
            f'{{\n"format": {FORMAT},\n"version": {json.dumps(self.version)},\n'
            f'"seal": "{self.seal}",\n'
            f'"inputs": {_lines(self.inputs)},\n'
            f'"files": {_lines(self._rows)}\n}}\n'
        )

    @property
    def seal(self) -> str:
        """The SHA-256 of all the rest, which no other program keeps true."""
        return sha256(f"{json.dumps(self.version)}{_lines(self.inputs)}{_lines(self._rows)}")

    @property
    def _rows(self) -> dict[str, object]:
        return {path: _written(entry) for path, entry in self.files.items()}


def sha256(text: str) -> str:
    """The hash of a text as the lock keeps it: of its UTF-8 bytes, line ends folded."""
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def read(root: Path) -> Lock | None:
    """The lock of the project at `root`; None where there is none.

    Where git has left the locks of two branches between conflict markers, it is what both say.
    Raises ScaffoldError (`lock-broken`) for one that we cannot have written.
    """
    tree = Tree(root)
    found = tree.read(LOCK)
    if found is None:
        return None
    try:
        if sides := split(found.text() or ""):
            return _joined(tree, *(parse(side.encode()) for side in sides))
        return parse(found.data)
    except (ValueError, RecursionError) as error:
        raise ScaffoldError(
            [
                Diagnostic(
                    "lock-broken",
                    f"the lock of the project cannot be read: {error}",
                    Place(str(root / LOCK)),
                    hint="restore it from version control",
                )
            ]
        ) from error


def _joined(tree: Tree, ours: Lock, theirs: Lock) -> Lock:
    """What two branches say of the files; where they differ, the one that the disk agrees with."""
    files = {**theirs.files, **ours.files}
    for path, entry in theirs.files.items():
        if files[path] != entry:
            found = tree.read(base(path) if entry.owner is Owner.MERGED else path)
            if found and found.sha256 == entry.sha256:
                files[path] = entry
    return Lock(ours.version, {}, files, intact=False)


def parse(data: bytes) -> Lock:
    """The lock that a JSON text holds; raises ValueError, saying why, for any other text."""
    match json.loads(data):
        case {"format": number} if number != FORMAT:
            raise ValueError(f"it has format {number!r}, this version knows format {FORMAT}")
        case {
            "format": _,
            "version": str(version),
            "inputs": dict(inputs),
            "files": dict(files),
            **rest,
        }:
            lock = Lock(
                version,
                {name: _hash(name, value) for name, value in inputs.items()},
                {_path(path): _entry(path, value) for path, value in files.items()},
            )
            return lock if rest.get("seal") == lock.seal else replace(lock, intact=False)
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
