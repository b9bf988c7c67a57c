"""Fetch a team's pack and render it for a project, with a record of both."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError, Severity
from scaffold.disk.records import PACK, Metadata
from scaffold.files import RelPath
from scaffold.inputs import Packs
from scaffold.pack_record import Beneath, Record, fingerprint, pack_metadata
from scaffold.packs.layers import ignored
from scaffold.packs.pack import Pack, pack_of, stacked, stored
from scaffold.packs.parts import TABLE, Parts, is_copied, is_runtime
from scaffold.teams.address import Address, parse_address
from scaffold.teams.asked import Asked
from scaffold.teams.copying import QUESTIONS, shown
from scaffold.teams.folder import Files, read_files, write_files
from scaffold.teams.git import Fetched, fetch, is_bare, is_repository, work_tree
from scaffold.teams.notes import changelog

_HARMLESS = ("PATH", "LANG", "LC_ALL", "TERM", "COLORTERM", "NO_COLOR", "SYSTEMROOT", "COMSPEC")
"""The environment variables that a pack may see."""

_EXTENDS_ADDRESS = re.compile(rb"""^\s*extends\s*=\s*["'][^"']*[/:]""", re.MULTILINE)

_DEEPEST = 8
"""The most packs that stand on one another."""

LIMITS = {"seconds": 30, "memory": 2 * 2**30, "file": 16 * 2**20}
"""Limits of the process that renders a pack: processor time and bytes, not waiting for input."""


class TeamPack(Struct, frozen=True):
    """A pack to write to a project, and the record of its source.

    `name` is the pack's own. `places` are its files by path, as the user knows them. `warnings` are
    about files that have no effect. `changelogs`, by pack, and `messages` are what its authors and
    those of the packs beneath say about versions.
    """

    name: str
    parts: Parts
    record: Record
    places: Mapping[str, str]
    warnings: tuple[Diagnostic, ...] = ()
    changelogs: Mapping[str, str] = field(default_factory=dict)
    messages: str = ""

    def located(self, diagnostics: Iterable[Diagnostic], root: Path) -> Iterator[Diagnostic]:
        """Yield the diagnostics, those about the copy in the project at `root` where the pack is."""
        copies = {str(root / PACK / path): place for path, place in self.places.items()}
        for one in diagnostics:
            if one.place and one.place.path in copies:
                one = replace(one, place=replace(one.place, path=copies[one.place.path]))
            yield one

    @contextmanager
    def locating(self, root: Path) -> Iterator[None]:
        """Place the errors raised within as `located` does."""
        try:
            yield
        except ScaffoldError as error:
            raise ScaffoldError(self.located(error.diagnostics, root)) from error

    @property
    def packs(self) -> Packs:
        """The packs of a project that has this one and no templates of its own."""
        return {PACK: self.parts}

    def metadata(self, before: Parts) -> Metadata:
        """Return the changes in `.scaffold/` of a project that has the parts `before`."""
        return pack_metadata(self.record, self.parts, before)


def fetch_pack(
    address: Address,
    source: str,
    asked: Asked,
    held: str | None = None,
    beneath: Sequence[Beneath] = (),
    above: tuple[str, ...] = (),
) -> TeamPack:
    """Fetch a pack, get its questions answered, and render it; `source` goes into the record.

    Without a version, a folder is used as it is. `held` is the version that the project has: from
    a repository, no older one is fetched unless `address` names it. A pack that it extends by its
    address is fetched too, and becomes a part of it; `beneath` are those that the project has.
    `above` are the names of the packs that extend this one. Raises ScaffoldError if a pack cannot
    be fetched, is refused or is not a pack.
    """
    at = address.shown
    fetched = _fetched(address, held)
    files, originals = fetched.files, {path: path for path in fetched.files}
    answers: dict[str, Any] = {}
    questions: dict[str, str] = {}
    messages, left = "", asked.given
    is_base = not any(_EXTENDS_ADDRESS.search(files[path]) for path in files if TABLE in path)
    if any(name in files for name in QUESTIONS):
        files, result = _copied(files, asked, at, is_base)
        answers, questions, left = result["answers"], result["questions"], result["left"]
        messages = result["messages"]
        originals = _originals(fetched.files, files, result)
    elif asked.given and is_base:
        message = f"the pack has no questions: it has no {QUESTIONS[0]}"
        raise ScaffoldError.of("pack-answer", message, at)
    places = {path: f"{at}/{original}" for path, original in originals.items()}
    parts = _parts(files, at)
    record = Record(source, fetched.version, fetched.commit, fingerprint(parts), answers, questions)
    top = pack_of(parts, Path(at))
    changes = {top.name: changelog(fetched.files)}
    pack = TeamPack(top.name, parts, record, places, (), changes, messages)
    if top.name in above or len(above) == _DEEPEST:
        message = f"pack `{top.name}` extends itself"
        if top.name not in above:
            message = f"more than {_DEEPEST} packs extend one another"
        raise ScaffoldError.of("pack-extends", message, at)
    if top.table.base:
        answering = replace(asked, given=left, answers={**asked.answers, **answers})
        base = _base(top, address, answering, beneath, (*above, top.name))
        pack = _standing_on(pack, base)
    with pack.locating(Path()):
        layers = stacked([*stored(pack.parts, Path(PACK))])
    warnings = pack.located(ignored(files, PACK, layers[1:]), Path())
    dropped = () if above else _dropped(pack.record.answers, asked, at)
    return replace(pack, warnings=(*warnings, *pack.warnings, *dropped))


def _base(
    pack: Pack,
    address: Address,
    asked: Asked,
    beneath: Sequence[Beneath],
    above: tuple[str, ...],
) -> TeamPack:
    """Fetch the pack that the one at `address` extends.

    Only a pack in a folder can name a folder: what comes from elsewhere reads nothing of this
    machine.
    """
    named, place = str(pack.table.base), pack.table.extends_place
    try:
        found = parse_address(named, address.folder)
    except ScaffoldError as error:
        said = error.diagnostics[0]
        raise ScaffoldError.of("pack-extends", said.message, place, said.hint) from error
    if found.folder and not address.folder:
        message = f"`{named}` is a directory, so only a pack in a directory can extend it"
        raise ScaffoldError.of(
            "pack-extends", message, place, "use the address of a git repository"
        )
    if found.folder:
        found = replace(found, folder=Path(os.path.normpath(found.folder)))
    source = named.removesuffix(f"@{found.version}")
    held = next((one.version for one in beneath if one.source == source), None)
    return fetch_pack(found, source, asked, held, beneath, above)


def _standing_on(pack: TeamPack, base: TeamPack) -> TeamPack:
    """Return a pack with the one that it extends stored in it."""
    at, under, record = f"@{base.name}", base.record, pack.record
    parts = {**pack.parts, **{f"{at}/{path}": data for path, data in base.parts.items()}}
    nearest = Beneath(base.name, under.source, under.version, under.commit)
    record = replace(
        record,
        sha256=fingerprint(parts),
        answers={**under.answers, **record.answers},
        questions={**under.questions, **record.questions},
        beneath=(nearest, *under.beneath),
    )
    return replace(
        pack,
        parts=parts,
        record=record,
        places={**pack.places, **{f"{at}/{path}": p for path, p in base.places.items()}},
        warnings=base.warnings,
        changelogs={**base.changelogs, **pack.changelogs},
        messages="\n\n".join(filter(None, (pack.messages, base.messages))),
    )


def _dropped(answers: Mapping[str, Any], asked: Asked, at: str) -> Iterator[Diagnostic]:
    """Yield a warning for each earlier answer to a question that the pack `at` no longer asks.

    `answers` are those of now. One that has become the answer to a new question is not lost.
    """
    new = {name: answer for name, answer in answers.items() if name not in asked.answers}
    for name, answer in asked.answers.items():
        if name in answers or answer in new.values():
            continue
        message = f"the pack no longer asks `{name}`: the answer `{shown(answer)}` has no effect"
        hint = None
        if options := " ".join(f"--data {other}=…" for other in new if other not in asked.given):
            hint = f"if a new question replaces it, run `mcp-scaffold pack upgrade {options}`"
        yield Diagnostic("answer-dropped", message, Place(at), hint, Severity.WARNING)


def _originals(before: Files, after: Files, result: Mapping[str, Any]) -> dict[str, str]:
    """Return the file that each rendered file was made from; its own path, if that is not known."""
    folder = f"{result['subdirectory']}/" if result["subdirectory"] else ""
    suffix = result["templates_suffix"] or ".jinja"
    found = {path: (f"{folder}{path}{suffix}", f"{folder}{path}") for path in after}
    return {
        path: next((file for file in files if file in before), path)
        for path, files in found.items()
    }


def _fetched(address: Address, held: str | None) -> Fetched:
    folder = address.folder
    if folder is None or is_bare(folder):
        return fetch(address, address.version, held)
    if not is_repository(folder):
        if address.version:
            message = f"`{address.shown}` has no versions, as it is not a git repository"
            raise ScaffoldError.of("pack-version", message, address.shown)
        return Fetched(read_files(folder, address.shown))
    if address.version or held:
        return fetch(address, address.version, held)
    return Fetched(read_files(folder, address.shown, work_tree(folder)))


def _copied(files: Files, asked: Asked, at: str, is_base: bool) -> tuple[Files, dict[str, Any]]:
    """Render the files of the pack `at` with copier; return the files and the result."""
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
            "is_base": is_base,
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
        result = _result(folder / "result.json", ended.returncode, at)
        return read_files(folder / "pack", at), result


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


def _result(file: Path, code: int, at: str) -> dict[str, Any]:
    """Return the result of the process. Raises ScaffoldError if it refused or was stopped."""
    if code != 0 or not file.exists():
        message = "the pack was stopped: it exceeded its limits of time, memory or file size"
        raise ScaffoldError.of("pack-limit", message, at)
    result: dict[str, Any] = json.loads(file.read_text("utf-8"))
    if refusal := result.get("refusal"):
        path = f"{at}/{refusal['path']}" if refusal["path"] else at
        place = Place(path, refusal["line"] or None)
        raise ScaffoldError.of(refusal["id"], refusal["message"], place, refusal["hint"] or None)
    return result


def _parts(files: Files, at: str) -> Parts:
    """Return the rendered files that form the pack, after checking their paths."""
    if TABLE not in files:
        hint = "if the pack is in a subdirectory, set it: `_subdirectory: pack`"
        raise ScaffoldError.of("pack-missing", f"`{at}` has no {TABLE}", at, hint)
    names = (
        path
        for path in sorted(files)
        if path == TABLE or path.endswith(".j2") or is_copied(path) or is_runtime(path)
    )
    parts = {path: files[path] for path in names}
    for path in parts:
        try:
            if path[0] == "@":
                raise ValueError(f"`{path}` is reserved for an extended pack")
            RelPath(path)
        except ValueError as error:
            raise ScaffoldError.of("pack-escape", str(error), f"{at}/{path}") from error
    return parts
