"""The record of a project's pack, `.scaffold/pack.json`: its address and the answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.records import SOURCE
from scaffold.disk.tree import Tree


@dataclass(frozen=True, slots=True)
class Record:
    """The pack of a project, and its source.

    `source` is the address without version; a folder is relative to the project if it was given
    relative. `version` and `commit` are those of the pack's repository. `sha256` is the fingerprint
    of the rendered pack. `answers` are JSON values by question name, and `questions` the texts
    asked.
    """

    source: str
    version: str | None
    commit: str | None
    sha256: str
    answers: Mapping[str, Any]
    questions: Mapping[str, str]

    def text(self) -> str:
        """Return the record as JSON, the same for equal records."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def read_record(root: Path) -> Record | None:
    """Read the record of the project at `root`; return None if its pack is a built-in one.

    Raises ScaffoldError (`pack-record`) for a record that we cannot have written.
    """
    found = Tree(root).read(SOURCE)
    if found is None:
        return None
    try:
        match json.loads(found.data):
            case {
                "source": str(source),
                "version": str() | None as version,
                "commit": str() | None as commit,
                "sha256": str(sha256),
                "answers": dict(answers),
                "questions": dict(questions),
            }:
                return Record(source, version, commit, sha256, answers, questions)
        raise ValueError("missing or invalid keys")
    except (ValueError, RecursionError) as error:
        message, hint = f"invalid pack record: {error}", "restore it from version control"
        raise ScaffoldError.of("pack-record", message, root / SOURCE, hint) from error
