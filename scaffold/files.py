"""The files of a project as values: a path that cannot leave its root, an owner, a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Owner(StrEnum):
    """Who may edit a file: `generated` is ours, `merged` is shared, `owned` is the user's."""

    GENERATED = "generated"
    MERGED = "merged"
    OWNED = "owned"


class RelPath(str):
    """A path below a project's root: parts joined by `/`, none of them empty, `.` or `..`.

    Raises ValueError for anything else (absolute paths, drive letters, backslashes, NUL and other
    control characters), so that a path of this type can be joined to a root without leaving it.
    """

    __slots__ = ()

    def __new__(cls, path: str) -> RelPath:
        if any(part in ("", ".", "..") for part in path.split("/")):
            raise ValueError(f"not a path below the project: {path!r}")
        if any(c in '\\:*?"<>|' or c < " " or c == "\x7f" for c in path):
            raise ValueError(f"not a portable path: {path!r}")
        return super().__new__(cls, path)


@dataclass(frozen=True, slots=True)
class RenderedFile:
    """One file as it shall be: `text` has `\\n` line ends and is written as UTF-8.

    `origin` names the template that made it, for messages. `about` is the wire name of the tool,
    resource or prompt that it belongs to, if any: it ties an owned handler to its spec entry.
    """

    path: RelPath
    owner: Owner
    text: str
    origin: str
    about: str | None = None
    executable: bool = False


class RenderedFiles(Mapping[RelPath, RenderedFile]):
    """All files of a project, by path, in path order."""

    def __init__(self, files: Mapping[RelPath, RenderedFile]) -> None:
        self._files = dict(sorted(files.items()))

    def __getitem__(self, path: RelPath) -> RenderedFile:
        return self._files[path]

    def __iter__(self) -> Iterator[RelPath]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)
