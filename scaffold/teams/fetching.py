"""Fetch a team's pack and render it for a project, and record its source and the answers."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError, Severity
from scaffold.base.files import RelPath
from scaffold.disk.records import PACK, SOURCE, Metadata
from scaffold.disk.tree import HAS_MODES
from scaffold.languages.registry import DEFAULT
from scaffold.packs.pack import pack_of, stacked
from scaffold.packs.parts import EXECUTABLES, TABLE, Parts, choosing, is_copied, is_part
from scaffold.packs.warnings import ignored
from scaffold.project.inputs import Packs
from scaffold.project.pack_record import Record, fingerprint
from scaffold.teams.address import Address
from scaffold.teams.copying import Asked, copied
from scaffold.teams.folder import Files, read_files
from scaffold.teams.git import Fetched, fetch, is_bare, work_tree
from scaffold.teams.questions import QUESTIONS, Questions, read_questions


class TeamPack(Struct, frozen=True):
    """A pack to write to a project, and the record of its source.

    `name` is the pack's own, as are its `questions`. `places` are the files of the pack by path, as
    the user knows them. `warnings` are about files that have no effect. `changelog` and `messages`
    are what its authors say about versions.
    """

    name: str
    parts: Parts
    record: Record
    places: Mapping[str, str]
    questions: Questions
    warnings: tuple[Diagnostic, ...] = ()
    changelog: str = ""
    messages: str = ""
    is_builtin: bool = False

    def located(self, diagnostics: Iterable[Diagnostic], root: Path) -> Iterator[Diagnostic]:
        """Yield the diagnostics, those about the copy in the project at `root` where the pack is."""
        copies = {str(root / PACK / path): place for path, place in self.places.items()}
        for diagnostic in diagnostics:
            if diagnostic.place and diagnostic.place.path in copies:
                diagnostic = replace(
                    diagnostic, place=replace(diagnostic.place, path=copies[diagnostic.place.path])
                )
            yield diagnostic

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
        return {PACK: self.parts} if self.parts else {}

    def metadata(self, before: Parts) -> Metadata:
        """Return the changes in `.scaffold/` of a project that has the parts `before`.

        A built-in pack has no record.
        """
        texts = {
            RelPath(f"{PACK}/{path}"): data if is_copied(path) else data.decode()
            for path, data in self.parts.items()
        }
        gone = {RelPath(f"{PACK}/{path}"): None for path in before.keys() - self.parts.keys()}
        return {**gone, **texts, SOURCE: None if self.is_builtin else self.record.text()}


def builtin_pack(name: str) -> TeamPack:
    """Return a built-in pack, with a record that says so but is written nowhere."""
    parts = {} if name == DEFAULT else choosing(name)
    record = Record(name, None, None, fingerprint(parts), {}, {})
    return TeamPack(name, parts, record, {}, Questions("", {}, {}), is_builtin=True)


def fetch_pack(address: Address, source: str, asked: Asked, held: str | None = None) -> TeamPack:
    """Fetch a pack, get its questions answered, and render it; `source` goes into the record.

    Without a version, a folder is used as it is. `held` is the version that the project has: from
    a repository, no older one is fetched unless `address` names it. Raises ScaffoldError if the
    pack cannot be fetched, is refused or is not a pack.
    """
    at = address.shown
    fetched = _fetched(address, held)
    questions = read_questions(fetched.files, at, asked.trust)
    questions.check_answers(asked.given, at)
    copy = copied(fetched.files, questions, asked, at)
    places = {path: _original(path, fetched.files, questions) for path in copy.files}
    parts = _parts(copy.files, at)
    executables = sorted(p for p in parts if is_copied(p) and places[p] in fetched.executables)
    if executables:
        parts = {**parts, EXECUTABLES: "".join(f"{path}\n" for path in executables).encode()}
    texts = questions.texts(copy.answers)
    of = (source, fetched.version, fetched.commit, fingerprint(parts))
    pack = TeamPack(
        name=pack_of(parts, Path(at)).name,
        parts=parts,
        record=Record(*of, copy.answers, texts),
        places={path: f"{at}/{original}" for path, original in places.items()},
        questions=questions,
        changelog=fetched.files.get("CHANGELOG.md", b"").decode(errors="replace"),
        messages=copy.messages,
    )
    with pack.locating(Path()):
        layers = stacked([pack_of(parts, Path(PACK))])
    warnings = pack.located(ignored(copy.files, PACK, layers[1:]), Path())
    return replace(pack, warnings=(*warnings, *_dropped(copy.answers, asked, at)))


def _dropped(answers: Mapping[str, Any], asked: Asked, at: str) -> Iterator[Diagnostic]:
    """Yield a warning for each earlier answer to a question that the pack `at` no longer asks.

    `answers` are the present ones. An answer that a new question has taken over is not lost.
    """
    new = {name: answer for name, answer in answers.items() if name not in asked.answers}
    for name, answer in asked.answers.items():
        if name in answers or answer in new.values():
            continue
        message = f"the pack no longer asks `{name}`: the answer `{json.dumps(answer, ensure_ascii=False)}` has no effect"
        hint = None
        if options := " ".join(f"--data {other}=…" for other in new if other not in asked.given):
            hint = f"if a new question replaces it, run `mcp-scaffold pack upgrade {options}`"
        yield Diagnostic("answer-dropped", message, Place(at), hint, Severity.WARNING)


def _original(path: str, files: Files, questions: Questions) -> str:
    """Return the file in the repository from which a file was rendered, if it is known."""
    inside = f"{questions.folder}{path}"
    candidates = (file for file in (f"{inside}{questions.suffix}", inside) if file in files)
    return next(candidates, path)


def is_pack(folder: Path) -> bool:
    """Return whether a folder has the files of a pack at its top."""
    return any((folder / name).exists() for name in (TABLE, *QUESTIONS))


def _fetched(address: Address, held: str | None) -> Fetched:
    folder = address.folder
    if folder is None or is_bare(folder):
        return fetch(address, address.version, held)
    if not is_pack(folder):  # no other file in it is read
        raise _not_a_pack(address.shown)
    if not (folder / ".git").exists():  # a folder in a repository has no versions of its own
        if address.version:
            message = f"`{address.shown}` has no versions, as it is not a git repository"
            raise ScaffoldError.of("pack-version", message, address.shown)
        return _read(folder, read_files(folder, address.shown))
    if address.version or held:
        return fetch(address, address.version, held)
    return _read(folder, read_files(folder, address.shown, work_tree(folder)))


def _read(folder: Path, files: Files) -> Fetched:
    """Return the files of a folder, and which of them are executable."""
    modes = {path: (folder / path).stat().st_mode for path in files} if HAS_MODES else {}
    return Fetched(files, frozenset(path for path, mode in modes.items() if mode & stat.S_IXUSR))


def _not_a_pack(at: str) -> ScaffoldError:
    hint = "if the pack is in a subdirectory, set it: `_subdirectory: pack`"
    return ScaffoldError.of("pack-missing", f"`{at}` has no {TABLE}", at, hint)


def _parts(files: Files, at: str) -> Parts:
    """Return the rendered files that form the pack, after checking their paths."""
    if TABLE not in files:
        raise _not_a_pack(at)
    paths = (path for path in sorted(files) if is_part(path) and path != EXECUTABLES)
    parts = {path: files[path] for path in paths}
    for path in parts:
        try:
            RelPath(path)
        except ValueError as error:
            raise ScaffoldError.of("pack-escape", str(error), f"{at}/{path}") from error
    return parts
