"""The files of a project as values: each has a path below the root, an owner and a text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Self

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError

_DEVICES = {"con", "prn", "aux", "nul"} | {
    f"{port}{n}" for port in ("com", "lpt") for n in "123456789"
}

_FORBIDDEN = frozenset('\\:*?"<>|')

_LONGEST_NAME, _LONGEST_PATH = 240, 800  # bytes; the systems' limits are 255 and 1024


class Owner(StrEnum):
    """Who may edit a file: `generated` is ours, `merged` is shared, `owned` is the user's."""

    GENERATED = "generated"
    MERGED = "merged"
    OWNED = "owned"


def path_key(path: str) -> str:
    """Return a key that is equal for paths that differ only in case or Unicode form."""
    return unicodedata.normalize("NFC", path.casefold())


class RelPath(str):
    """A path below a project's root: parts joined by `/`, none of them empty, `.` or `..`.

    Raises ValueError for anything else: absolute paths, drive letters, backslashes, unprintable
    characters, names that Windows reserves or truncates, and git's own folder. A path of this type
    can be joined to a root without leaving it, on every platform.
    """

    __slots__ = ()

    def __new__(cls, path: str) -> Self:
        for part in path.split("/"):
            if problem := _problem(part):
                raise ValueError(f"{problem}: {path!r}")
        return super().__new__(cls, path)

    @classmethod
    def beside(cls, path: str) -> Self:
        """Return a path that a spec names, which may begin with `./` or end in `/`."""
        return cls(path.removeprefix("./").removesuffix("/"))

    @property
    def folders(self) -> Iterator[RelPath]:
        """The folders that contain this path, outermost first: for `a/b/c`, `a` and `a/b`."""
        for at, c in enumerate(self):
            if c == "/":
                yield str.__new__(RelPath, self[:at])  # a prefix of a valid path is valid

    @property
    def key(self) -> str:
        """See `path_key`."""
        return path_key(self)


@lru_cache(maxsize=1000)  # most files are in few folders
def _problem(part: str) -> str | None:
    """Return why a part of a path is not allowed in a project, or None."""
    if part in ("", ".", ".."):
        return "not a path inside the project"
    if part.endswith((".", " ")) or part.split(".")[0].rstrip().casefold() in _DEVICES:
        return "not a portable path"
    if part.casefold() in (".git", "git~1"):
        return "a path inside a git directory"
    if not part.isprintable() or not _FORBIDDEN.isdisjoint(part):
        return "not a portable path"
    return None


@dataclass(frozen=True, slots=True)
class RenderedFile:
    """One generated file: `text` has `\\n` line ends and is written as UTF-8.

    A file that is copied has `data` instead, and no text.
    `origin` names the template, for messages. `about` is the wire name of the tool, resource or
    prompt that the file belongs to, if any: it ties an owned handler to its spec entry. `kind` is
    the kind of that entry: `tool`, `resource`, `resource_template`, `prompt` or another.
    `unformatted` is the template's output, if formatting changed it. `place` is where the file is
    declared. A source file of a pack's runtime stays `as_written`, and is not formatted.
    """

    path: RelPath
    owner: Owner
    text: str
    origin: str
    about: str | None = None
    executable: bool = False
    kind: str | None = None
    unformatted: str | None = None
    place: Place | None = field(default=None, compare=False)
    data: bytes | None = None
    as_written: bool = False

    @property
    def content(self) -> bytes:
        """The bytes to write."""
        return self.text.encode() if self.data is None else self.data

    @property
    def id(self) -> str | None:
        """The id of the spec entry that the file belongs to: its kind and name, `tools/search`."""
        if self.about is None or self.kind is None:
            return None
        kind = "resources" if self.kind == "resource_template" else f"{self.kind}s"
        return f"{kind}/{self.about}"

    @property
    def claimant(self) -> str:
        """The origin of the file, for messages."""
        origin = f"`{self.origin}`" if self.origin.startswith("@") else self.origin
        return f"{origin} for `{self.about}`" if self.about else origin

    @property
    def template(self) -> str:
        """The path of the template, without the pack's name."""
        return self.origin.partition("/")[2] if self.origin.startswith("@") else self.origin


def is_too_long(path: str) -> bool:
    """Return whether a path is too long for some system, including the suffixes that we add."""
    sizes = [len(part.encode(errors="surrogatepass")) for part in path.split("/")]
    return max(sizes) > _LONGEST_NAME or sum(sizes) + len(sizes) > _LONGEST_PATH


class RenderedFiles(Mapping[RelPath, RenderedFile]):
    """All files of a project, by path, in path order."""

    def __init__(self, files: Mapping[RelPath, RenderedFile]) -> None:
        self._files = dict(sorted(files.items()))

    @classmethod
    def of(cls, files: Iterable[RenderedFile]) -> RenderedFiles:
        """Return the files by path. Raises ScaffoldError for those that `clashes` yields."""
        rendered = tuple(files)
        if faults := [*clashes(rendered)]:
            raise ScaffoldError(faults)
        return cls({file.path: file for file in rendered})

    def __getitem__(self, path: RelPath) -> RenderedFile:
        return self._files[path]

    def __iter__(self) -> Iterator[RelPath]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def clashes(files: Sequence[RenderedFile]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each file that cannot be in one project with the others.

    Two have the same path, ignoring case; one is a file where another needs a folder; or a path is
    among our records.
    """
    claims: dict[str, RenderedFile] = {}
    for file in files:
        first = claims.setdefault(file.path.key, file)
        if first is not file:
            message = f"{first.claimant} and {file.claimant} both write `{file.path}`"
            hint = "change one of the paths, or add a `when` so that only one applies"
            if not file.origin.startswith("@"):
                hint = "rename the file of the resource, or move it to another directory"
            yield Diagnostic("path-claimed", message, file.place or Place(file.path), hint)
    keys: dict[str, str] = {}
    for file in files:
        for folder in file.path.folders:
            key = keys.get(folder) or keys.setdefault(folder, folder.key)
            if rival := claims.get(key):
                message = f"`{rival.path}` is a directory for {file.claimant}, a file for {rival.claimant}"
                yield Diagnostic("path-claimed", message, file.place or Place(file.path))
        if is_reserved(file.path):
            message = f"{file.claimant} writes `{file.path}`, but `{RECORDS}/` is reserved"
            hint = "choose another path"
            yield Diagnostic("reserved-path", message, file.place or Place(file.path), hint)


def is_reserved(path: RelPath) -> bool:
    """Return whether a path is among our records, where no template may write."""
    return path.key.split("/")[0] == RECORDS


SPEC = RelPath("mcp.yaml")
"""The path of a project's spec."""

RECORDS = RelPath(".scaffold")
"""The folder of a project's records of what was written last."""
