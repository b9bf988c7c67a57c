"""Fetch a team's pack and render it for a project, with a record of both."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scaffold.diagnostics import Place, ScaffoldError
from scaffold.disk.records import PACK, SOURCE, Metadata
from scaffold.files import RelPath
from scaffold.inputs import Packs, fingerprint
from scaffold.packs.pack import pack_of
from scaffold.packs.parts import TABLE, Parts
from scaffold.teams.address import Address
from scaffold.teams.asked import Asked
from scaffold.teams.copying import QUESTIONS
from scaffold.teams.folder import Files, read_files, write_files
from scaffold.teams.git import Fetched, fetch, is_repository
from scaffold.teams.record import Record

_HARMLESS = ("PATH", "LANG", "LC_ALL", "TERM", "COLORTERM", "NO_COLOR", "SYSTEMROOT", "COMSPEC")
"""The environment variables that a pack may see."""

LIMITS = {"seconds": 30, "memory": 2 * 2**30, "file": 16 * 2**20}
"""Limits of the process that renders a pack: processor time and bytes, not waiting for input."""


@dataclass(frozen=True, slots=True)
class TeamPack:
    """A pack to write to a project, and the record of its source."""

    parts: Parts
    record: Record

    @property
    def packs(self) -> Packs:
        """The packs of a project that has this one and no templates of its own."""
        return {PACK: self.parts}

    def metadata(self, before: Parts) -> Metadata:
        """Return the changes in `.scaffold/` of a project that has the parts `before`."""
        texts = {RelPath(f"{PACK}/{path}"): data.decode() for path, data in self.parts.items()}
        gone = {RelPath(f"{PACK}/{path}"): None for path in before.keys() - self.parts.keys()}
        return {**gone, **texts, SOURCE: self.record.text()}


def fetch_pack(address: Address, source: str, asked: Asked) -> TeamPack:
    """Fetch a pack, get its questions answered, and render it; `source` goes into the record.

    A folder that is not a git repository is used as it is. Raises ScaffoldError if the pack cannot
    be fetched, is refused or is not a pack.
    """
    if address.folder and not is_repository(address.folder):
        if address.version:
            message = f"`{source}` has no versions, as it is not a git repository"
            raise ScaffoldError.of("pack-version", message, source)
        fetched = Fetched(read_files(address.folder))
    else:
        fetched = fetch(address, address.version)
    files = fetched.files
    answers: dict[str, Any] = {}
    questions: dict[str, str] = {}
    if any(name in files for name in QUESTIONS):
        files, answers, questions = _copied(files, asked, source)
    elif asked.given:
        message = f"the pack has no questions: it has no {QUESTIONS[0]}"
        raise ScaffoldError.of("pack-answer", message, source)
    parts = _parts(files, source)
    record = Record(source, fetched.version, fetched.commit, fingerprint(parts), answers, questions)
    return TeamPack(parts, record)


def _copied(
    files: Files, asked: Asked, source: str
) -> tuple[Files, dict[str, Any], dict[str, str]]:
    """Render the files with copier; return the result, the answers and the questions."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        write_files(files, folder / "template")
        (folder / "home").mkdir()
        person = sys.stdin is not None and sys.stdin.isatty()
        request = {
            "given": dict(asked.given),
            "answers": dict(asked.answers),
            "asking": person and not asked.defaults,
            "defaults": asked.defaults,
            "trust": asked.trust,
            "limits": LIMITS,
        }
        (folder / "request.json").write_text(json.dumps(request), "utf-8")
        ended = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "scaffold.teams.copying", str(folder)],
            cwd=folder,
            env=_environment(folder / "home"),
            stdin=None if person else subprocess.DEVNULL,
            check=False,
        )
        result = _result(folder / "result.json", ended.returncode, source)
        return read_files(folder / "pack"), result["answers"], result["questions"]


def _environment(home: Path) -> dict[str, str]:
    """Return an environment without the user's secrets and settings of git or copier."""
    kept = {name: value for name in _HARMLESS if (value := os.environ.get(name)) is not None}
    return kept | {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "TMPDIR": str(home),
        "TEMP": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "PYTHONSAFEPATH": "1",
    }


def _result(file: Path, code: int, source: str) -> dict[str, Any]:
    """Return the result of the process. Raises ScaffoldError if it refused or was stopped."""
    if code != 0 or not file.exists():
        message = "the pack was stopped: it exceeded its limits of time, memory or file size"
        raise ScaffoldError.of("pack-limit", message, source)
    result: dict[str, Any] = json.loads(file.read_text("utf-8"))
    if refusal := result.get("refusal"):
        path = f"{source}/{refusal['path']}" if refusal["path"] else source
        place = Place(path, refusal["line"] or None)
        raise ScaffoldError.of(refusal["id"], refusal["message"], place, refusal["hint"] or None)
    return result


def _parts(files: Files, source: str) -> Parts:
    """Return the rendered files that form the pack, after checking the pack and its paths."""
    if TABLE not in files:
        hint = "if the pack is in a subdirectory, set it: `_subdirectory: pack`"
        raise ScaffoldError.of("pack-missing", f"`{source}` has no {TABLE}", source, hint)
    parts = {p: data for p, data in sorted(files.items()) if p == TABLE or p.endswith(".j2")}
    for path in parts:
        try:
            RelPath(path)
        except ValueError as error:
            raise ScaffoldError.of("pack-escape", str(error), path) from error
    pack_of(parts, Path(source))
    return parts
