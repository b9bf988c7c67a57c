"""The files of a project as values: a path that cannot leave its root, an owner, a text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError

_DEVICES = {"con", "prn", "aux", "nul"} | {
    f"{port}{n}" for port in ("com", "lpt") for n in "123456789"
}

_LONGEST_NAME, _LONGEST_PATH = 240, 800  # bytes, of the 255 and 1024 that there are


class Owner(StrEnum):
    """Who may edit a file: `generated` is ours, `merged` is shared, `owned` is the user's."""

    GENERATED = "generated"
    MERGED = "merged"
    OWNED = "owned"


def path_key(path: str) -> str:
    """What two paths share if some file system takes them for one: case and Unicode form."""
    return unicodedata.normalize("NFC", path.casefold())


class RelPath(str):
    """A path below a project's root: parts joined by `/`, none of them empty, `.` or `..`.

    Raises ValueError for anything else (absolute paths, drive letters, backslashes, unprintable
    characters, names that Windows keeps for devices or cuts short, and git's own folder), so that
    a path of this type can be joined to a root without leaving it, on every platform.
    """

    __slots__ = ()

    def __new__(cls, path: str) -> Self:
        for part in path.split("/"):
            if part in ("", ".", ".."):
                raise ValueError(f"not a path below the project: {path!r}")
            if part.endswith((".", " ")) or part.split(".")[0].rstrip().casefold() in _DEVICES:
                raise ValueError(f"not a portable path: {path!r}")
            if part.casefold() in (".git", "git~1"):
                raise ValueError(f"not a path of the project but of git: {path!r}")
        if not path.isprintable() or any(c in path for c in '\\:*?"<>|'):
            raise ValueError(f"not a portable path: {path!r}")
        return super().__new__(cls, path)

    @property
    def folders(self) -> Iterator[RelPath]:
        """The folders that hold this path, outermost first: of `a/b/c`, `a` and `a/b`."""
        for at, c in enumerate(self):
            if c == "/":
                yield str.__new__(RelPath, self[:at])  # right as a part of what is right

    @property
    def key(self) -> str:
        """See `path_key`."""
        return path_key(self)


@dataclass(frozen=True, slots=True)
class RenderedFile:
    """One file as it shall be: `text` has `\\n` line ends and is written as UTF-8.

    `origin` names the template that made it, for messages. `about` is the wire name of the tool,
    resource or prompt that it belongs to, if any: it ties an owned handler to its spec entry.
    `kind` is what that is: `tool`, `resource`, `resource_template`, `prompt`, or else.
    `unformatted` is what the template printed, if formatting changed it.
    """

    path: RelPath
    owner: Owner
    text: str
    origin: str
    about: str | None = None
    executable: bool = False
    kind: str | None = None
    unformatted: str | None = None

    @property
    def template(self) -> str:
        """The template that made it, by its path, whichever pack has it."""
        return self.origin.partition("/")[2] if self.origin.startswith("@") else self.origin


def is_too_long(path: str) -> bool:
    """Whether some system has no room for a path and for what we put before and behind it."""
    sizes = [len(part.encode(errors="surrogatepass")) for part in path.split("/")]
    return max(sizes) > _LONGEST_NAME or sum(sizes) + len(sizes) > _LONGEST_PATH


class RenderedFiles(Mapping[RelPath, RenderedFile]):
    """All files of a project, by path, in path order.

    Raises ScaffoldError where two of them cannot lie side by side: their paths differ only in case
    or Unicode form, or one is a folder of the other.
    """

    def __init__(self, files: Mapping[RelPath, RenderedFile]) -> None:
        self._files = dict(sorted(files.items()))
        _refuse_two_claims(self._files.values())

    @classmethod
    def of(cls, files: Iterable[RenderedFile]) -> RenderedFiles:
        """The files, by their paths; raises ScaffoldError also where two have the same path."""
        found = tuple(files)
        _refuse_two_claims(found)
        return cls({file.path: file for file in found})

    def __getitem__(self, path: RelPath) -> RenderedFile:
        return self._files[path]

    def __iter__(self) -> Iterator[RelPath]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def _refuse_two_claims(files: Iterable[RenderedFile]) -> None:
    claims: dict[str, RenderedFile] = {}
    twice = []
    for file in files:
        first = claims.setdefault(file.path.key, file)
        if first is not file:
            twice.append((first, file))
    for file in claims.values():
        twice += [(claims[f.key], file) for f in file.path.folders if f.key in claims]
    if twice:
        raise ScaffoldError(
            Diagnostic(
                "path-claimed",
                f"`{second.path}` of {second.origin} and `{first.path}` of {first.origin} "
                "cannot lie side by side",
                Place(second.path),
                hint="give one of them another path",
            )
            for first, second in twice
        )


SPEC = RelPath("mcp.yaml")
"""Where a project keeps its spec."""
