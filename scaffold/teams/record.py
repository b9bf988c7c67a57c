"""The record of a project's pack, `.scaffold/pack.json`: its address and the answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.disk.records import SOURCE
from scaffold.disk.tree import Tree


@dataclass(frozen=True, slots=True)
class Record:
    """A pack as the project has it.

    `source` is the address without version; that of a folder is relative to the project if the
    person wrote it relative. `version` and `commit` are those of the pack's repository. `sha256` is
    the fingerprint of the pack as it was rendered. `answers` are JSON values by the names of their
    questions, and `questions` what was asked.
    """

    source: str
    version: str | None
    commit: str | None
    sha256: str
    answers: Mapping[str, Any]
    questions: Mapping[str, str]

    def text(self) -> str:
        """The record as JSON, the same for the same record."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def read_record(root: Path) -> Record | None:
    """The record of the project at `root`; None where its pack is a built-in one.

    Raises ScaffoldError (`pack-record`) for one that we cannot have written.
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
        raise ValueError("it is not one that mcp-scaffold has written")
    except (ValueError, RecursionError) as error:
        message = f"the record of the project's pack cannot be read: {error}"
        place, hint = Place(str(root / SOURCE)), "restore it from version control"
        raise ScaffoldError([Diagnostic("pack-record", message, place, hint)]) from error
