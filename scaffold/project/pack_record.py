"""The record of a project's pack, `.scaffold/pack.json`: its address and the answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.disk.records import SOURCE
from scaffold.disk.tree import Tree, digest
from scaffold.packs.parts import Parts, is_copied


class Record(Struct, frozen=True):
    """The pack of a project, and its source.

    `source` is the address without version; a folder is relative to the project if it was given
    relative. `version` and `commit` are those of the pack's repository. `sha256` is the fingerprint
    of the rendered pack. `answers` are JSON values by question name, and `questions` the texts
    asked. `is_edited` says that someone has changed the record since it was written.
    """

    source: str
    version: str | None
    commit: str | None
    sha256: str
    answers: Mapping[str, Any]
    questions: Mapping[str, str]
    is_edited: bool = False

    def text(self) -> str:
        """Return the record as JSON, the same for equal records."""
        whole = {**self._fields, "seal": self.seal}
        return json.dumps(whole, indent=2, ensure_ascii=False, sort_keys=True) + "\n"

    @property
    def seal(self) -> str:
        """The hash of the record, which shows whether its version was edited by hand."""
        return hashlib.sha256(json.dumps(self._fields, sort_keys=True).encode()).hexdigest()

    @property
    def _fields(self) -> dict[str, Any]:
        return {key: value for key, value in to_builtins(self).items() if key != "is_edited"}


def read_record(root: Path) -> Record | None:
    """Read the record of the project at `root`; return None if its pack is a built-in one.

    Raises ScaffoldError (`pack-record`) for a record that we cannot have written.
    """
    file = Tree(root).read(SOURCE)
    if file is None:
        return None
    try:
        written = msgspec.json.decode(file.data, type=dict[str, Any])
        record = msgspec.convert(written, Record)
    except (ValueError, RecursionError) as error:
        message, hint = f"invalid pack record: {error}", "restore it from version control"
        raise ScaffoldError.of("pack-record", message, root / SOURCE, hint) from error
    return replace(record, is_edited=record.seal != written.get("seal"))


def fingerprint(parts: Parts) -> str:
    """Return the SHA-256 of a pack's parts by path; line ends are folded except in copied files."""
    whole = hashlib.sha256()
    for path, data in sorted(parts.items()):
        hash = hashlib.sha256(data).hexdigest() if is_copied(path) else digest(data)
        whole.update(f"{path}\n{hash}\n".encode())
    return whole.hexdigest()
