"""The records of the last run: the lock, with hashes and inputs, and the bases of the next merge."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.base.files import Owner, RelPath, RenderedFile, RenderedFiles
from scaffold.disk.records import BASES, LOCK
from scaffold.disk.tree import HAS_MODES, Snapshot, Tree

FORMAT = 1

UPGRADE = "upgrade mcp-scaffold"

_BINARY = b"\0"
"""The first byte of the bases, by which git, formatters and linters see that they are no text."""


class Entry(Struct, frozen=True, omit_defaults=True):
    """The lock's entry for one file.

    `sha256` is the hash of the file written last: of a rendered text with line ends folded, of a
    copied file (`exact`) as it is. `source` is that of the template's output, if formatting changed
    it. `id` is that of the spec entry that the file belongs to, as in `RenderedFile`: it identifies
    the file when its path changes. `template` is set for files that people edit: they move if it
    gets another path. An `orphan` is no longer in the spec, and is kept because someone may have
    edited it.
    """

    owner: Owner
    sha256: str
    id: str | None = None
    orphan: bool = False
    template: str | None = None
    source: str | None = None
    exact: bool = False
    executable: bool = False

    @classmethod
    def of(cls, file: RenderedFile) -> Entry:
        """Return the entry for a wanted file."""
        template = None if file.owner is Owner.GENERATED else file.template
        source = None if file.unformatted is None else sha256(file.unformatted)
        return cls(
            file.owner,
            sha256(file.text) if file.data is None else hashlib.sha256(file.data).hexdigest(),
            file.id,
            template=template,
            source=source,
            exact=file.data is not None,
            executable=file.executable,
        )

    @property
    def about(self) -> str | None:
        """The wire name in the id."""
        return self.id and self.id.partition("/")[2]

    @property
    def may_be_link(self) -> bool:
        """Whether people may put a link in its place, as they may delete the file."""
        return self.owner is Owner.MERGED

    @property
    def state(self) -> str:
        """The hash and the executable bit, which `decide` compares."""
        return f"{self.sha256}{' executable' * self.executable}"

    def holds(self, file: Snapshot) -> bool:
        """Return whether a file has the contents of this entry, executable or not."""
        digest = hashlib.sha256(file.data).hexdigest() if self.exact else file.sha256
        return digest == self.sha256


def mode_of(file: Snapshot | None, wanted: Entry | None, last: Entry | None) -> int:
    """Return the permission bits to write a file with: its own, with the changes of the template.

    Those of a new file are less the umask.
    """
    is_wanted, was_wanted = (bool(entry and entry.executable) for entry in (wanted, last))
    if file is None:
        return 0o777 if is_wanted else 0o666
    is_ours = wanted is not None and wanted.owner is Owner.GENERATED
    if is_wanted and not file.is_executable and (is_ours or not was_wanted):
        return file.mode | (file.mode & 0o444) >> 2  # for all who can read it
    if wanted and was_wanted and not is_wanted:
        return file.mode & ~0o111
    return file.mode


def state_of(file: Snapshot | None, *entries: Entry | None) -> str | None:
    """Return the state of the first entry that a file matches, or else an unknown state.

    The executable bit counts only if an entry has it: on some file systems, all files have it.
    """
    if file is None:
        return None
    known = [entry for entry in entries if entry]
    counts = HAS_MODES and any(entry.executable for entry in known)
    for entry in known:
        if entry.holds(file) and (not counts or file.is_executable is entry.executable):
            return entry.state
    return "unknown"


class Lock(Struct, frozen=True):
    """The inputs of a project, and each of its files as last generated.

    `version` is that of mcp-scaffold; `inputs` maps the name of each input (the spec, the pack, …)
    to the SHA-256 of its contents. `overridden` has the hashes by which `rebased` detects changes
    in overridden blocks. `warnings` are about templates, and valid until an input changes; their
    paths are relative to the root.
    """

    version: str
    inputs: Mapping[str, str]
    files: Mapping[RelPath, Entry]
    overridden: Mapping[str, str] = {}
    warnings: tuple[Diagnostic, ...] = ()

    @classmethod
    def of(cls, files: RenderedFiles, version: str, inputs: Mapping[str, str]) -> Lock:
        """Return the lock of a new project."""
        return cls(version, inputs, {path: Entry.of(file) for path, file in files.items()})

    def text(self) -> str:
        """Return the lock as JSON, one line per input and file to keep diffs small."""
        warnings = ",\n".join(f" {_json(warning)}" for warning in self.warnings)
        return (
            f'{{\n"format": {FORMAT},\n"version": {_json(self.version)},\n'
            f'"inputs": {_lines(self.inputs)},\n'
            f'"files": {_lines(self.files)}'
            + (f',\n"overridden": {_lines(self.overridden)}' if self.overridden else "")
            + (f',\n"warnings": [\n{warnings}\n]' if warnings else "")
            + "\n}\n"
        )


class _Format(Struct):
    """The key that locks of all formats have."""

    format: int


def sha256(text: str) -> str:
    """Return the hash of a text as the lock stores it: UTF-8, line ends folded."""
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def read(root: Path) -> Lock | None:
    """Read the lock of the project at `root`; return None if there is none.

    Raises ScaffoldError (`lock-broken`) for a lock that we cannot have written.
    """
    file = Tree(root).read(LOCK)
    if file is None:
        return None
    try:
        if (format := msgspec.json.decode(file.data, type=_Format).format) != FORMAT:
            message = f"a newer mcp-scaffold wrote the lock file: it has format {format}"
            raise ScaffoldError.of("lock-broken", message, root / LOCK, UPGRADE)
        return parse(file.data)
    except (ValueError, RecursionError) as error:
        message = f"invalid lock file: {error}"
        hint = "restore it from version control; in a merge, take the lock of either side"
        raise ScaffoldError.of("lock-broken", message, root / LOCK, hint) from error


def standing(root: Path) -> Iterator[Diagnostic]:
    """Yield the warnings of the last run, which are valid while the project is up to date."""
    lock = read(root)
    for warning in lock.warnings if lock else ():
        place = warning.place and replace(warning.place, path=str(root / warning.place.path))
        yield replace(warning, place=place)


@lru_cache(maxsize=1)  # a run reads the lock again and again, to see whether it has changed
def parse(data: bytes) -> Lock:
    """Parse a lock from JSON. Raises ValueError with the reason if it is invalid."""
    return msgspec.json.decode(data, type=Lock, dec_hook=as_path)


def bases_of(files: Mapping[RelPath, RenderedFile]) -> Mapping[RelPath, str]:
    """Return the bases of a project that has just been generated."""
    return {path: file.text for path, file in files.items() if file.owner is Owner.MERGED}


def packed(bases: Mapping[RelPath, str]) -> bytes:
    """Serialize the bases: the last rendered text of each merged file."""
    return _BINARY + msgspec.msgpack.encode({str(path): bases[path] for path in sorted(bases)})


def read_bases(tree: Tree) -> Mapping[RelPath, str]:
    """Read the base of each merged file; none if the record is lost or broken."""
    file = tree.read(BASES)
    try:
        data = file.data.removeprefix(_BINARY) if file else msgspec.msgpack.encode({})
        return msgspec.msgpack.decode(data, type=dict[RelPath, str], dec_hook=as_path)
    except ValueError:
        return {}


def as_path(kind: type, value: Any) -> Any:
    """Decode a path below the root. Raises ValueError for anything else."""
    return kind(value)


def _lines(rows: Mapping[Any, object]) -> str:
    lines = ",\n".join(f" {_json(str(name))}: {_json(rows[name])}" for name in sorted(rows))
    return f"{{\n{lines}\n}}" if lines else "{}"


def _json(value: object) -> str:
    # In ASCII: names in the spec can have invisible characters.
    return json.dumps(msgspec.to_builtins(value), separators=(",", ":"))
