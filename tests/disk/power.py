"""What a power cut may leave on a disk, from a recording of what a process did to it.

The model is that of POSIX, with atomic renames: what a file holds lasts once the file is synced;
that a name is in a folder, or no longer, lasts once that folder is synced. Until then the changes
of a folder last up to any one of them, whatever other folders have kept.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from scaffold.disk import swap
from tests.disk.processes import ended, started
from tests.disk.regenerated import OF_RUNS

Operation = tuple[str, str, Any]
"""What was done, the path, and its data or target: `make`, `create`, `write`, `link`, `move`,
`exchange`, `remove` or `sync`."""

FOLDER = None
"""What lies at the path of a folder."""


def recorded(work: Callable[[], object], root: Path, log: Path) -> list[Operation]:
    """Do the work in another process, and return what it did below `root`, in order."""

    def working() -> int:
        operations: list[Operation] = []
        _record(root, operations)
        work()
        done = list(operations)
        log.write_bytes(pickle.dumps(done))
        return 0

    assert ended(started(working)) == 0
    found: list[Operation] = pickle.loads(log.read_bytes())
    return found


def _record(root: Path, operations: list[Operation]) -> None:
    def note(kind: str, path: Path, more: Any = None) -> None:
        ours = path.relative_to(root).as_posix() if path.is_relative_to(root) else None
        if ours is not None and ours not in OF_RUNS:
            operations.append((kind, ours, more))

    exchanging: list[Path] = []
    given = swap._exchange

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str):
            path, flags = Path(arguments[0]), arguments[2]
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                note("create", path, bool(flags & os.O_TRUNC))
        elif event in ("os.rename", "os.link"):
            source, target = map(Path, arguments[:2])
            kind = "link" if event == "os.link" else "exchange" if exchanging else "move"
            if target.is_relative_to(root):  # Python writes bytecode elsewhere
                note(kind, source, target.relative_to(root).as_posix())
        elif event in ("os.remove", "os.rmdir"):
            note("remove", _placed(arguments[0], arguments[1]))
        elif event == "os.mkdir":
            note("make", _placed(arguments[0], arguments[2]))

    def exchange(a: Path, b: Path) -> None:
        exchanging.append(a)
        try:
            given(a, b)
        finally:
            exchanging.clear()

    def fsync(fd: Any) -> None:
        path = Path(f"/proc/self/fd/{fd}").readlink()
        if path.is_dir():
            note("sync", path)
        else:
            note("write", path, path.read_bytes())

    sys.addaudithook(hook)
    os.fsync = fsync  # which no audit hook hears of
    swap._exchange = exchange  # which announces itself as a rename


def _placed(path: str | os.PathLike[str], folder: int) -> Path:
    base = Path(f"/proc/self/fd/{folder}").readlink() if folder >= 0 else Path()
    return base / os.fspath(path)


@dataclass
class Content:
    """A file's bytes, as far as they last."""

    data: bytes


Change: TypeAlias = Callable[[dict[str, Content | None]], None]


@dataclass(frozen=True)
class Pending:
    """A change of names in one or two folders; `made` is the folder that it makes, if it does.

    Nothing lasts in a folder before its own name does, unless someone syncs just that.
    """

    folders: frozenset[str]
    change: Change
    made: str


@dataclass
class Disk:
    """The names that last, and the changes that may be lost, in order."""

    names: dict[str, Content | None]
    present: dict[str, Content | None] = field(default_factory=dict)
    pending: list[Pending] = field(default_factory=list)

    @classmethod
    def at(cls, root: Path) -> Disk:
        """The disk with what lies there, all of it synced long ago."""
        names = {
            path.relative_to(root).as_posix(): Content(path.read_bytes())
            if path.is_file()
            else FOLDER
            for path in root.rglob("*")
        }
        return cls(names | {".": FOLDER}, names | {".": FOLDER})

    def do(self, operation: Operation) -> None:
        """Take one step of the recording; a step that the system refused does nothing."""
        kind, path, more = operation
        there = self.present
        if kind == "sync":
            for one in self.pending:
                if path in one.folders:
                    one.change(self.names)
            self.pending = [one for one in self.pending if path not in one.folders]
        elif kind == "write":
            content = there[path]
            assert content
            content.data = more
        elif kind == "create" and path in there:
            content = there[path]
            if more and content:
                content.data = b""
        elif kind == "create":
            self._change({_folder(path)}, _put(path, Content(b"")))
        elif kind == "make" and path not in there and _folder(path) in there:
            self._change({_folder(path)}, _put(path, FOLDER), path)
        elif kind == "move" and path in there:
            self._change({_folder(path), _folder(more)}, _moved(path, more, there[path]))
        elif kind == "link" and path in there and more not in there:
            self._change({_folder(more)}, _put(more, there[path]))
        elif kind == "exchange" and path in there and more in there:
            self._change({_folder(path), _folder(more)}, _exchanged(path, more, there))
        elif kind == "remove" and path in there and not self._holds_more(path):
            self._change({_folder(path)}, _removed(path))

    def _holds_more(self, path: str) -> bool:
        return any(name.startswith(f"{path}/") for name in self.present)

    def _change(self, folders: set[str], change: Change, made: str = "") -> None:
        change(self.present)
        self.pending.append(Pending(frozenset(folders), change, made))

    def ways(self, instant: int) -> Iterator[Callable[[Pending], bool]]:
        """Ways in which changes may be lost now: all, all of one folder, or some at random."""
        yield lambda _: True
        for folder in sorted({folder for one in self.pending for folder in one.folders}):
            yield lambda one, folder=folder: folder in one.folders  # type: ignore[misc]
        for number in range(7):
            random = Random(f"{instant} {number + 1}")
            yield lambda _, random=random: random.random() < 0.3  # type: ignore[misc]

    def left(self, is_lost: Callable[[Pending], bool]) -> dict[str, bytes | None]:
        """What a cut leaves now, if these of the changes that may be lost are lost.

        A change after a lost one in the same folder is lost too, and so is a name in a lost folder.
        """
        names = dict(self.names)
        closed: set[str] = set()
        for one in self.pending:
            if one.folders & closed or is_lost(one):
                closed |= {*one.folders, one.made}
            else:
                one.change(names)
        return {
            path: content.data if content else None
            for path, content in names.items()
            if all(folder in names for folder in _folders(path))
        }


def _put(path: str, content: Content | None) -> Change:
    def change(names: dict[str, Content | None]) -> None:
        names[path] = content

    return change


def _moved(path: str, target: str, content: Content | None) -> Change:
    def change(names: dict[str, Content | None]) -> None:
        names.pop(path, None)
        names[target] = content

    return change


def _exchanged(a: str, b: str, there: Mapping[str, Content | None]) -> Change:
    contents = {a: there[b], b: there[a]}

    def change(names: dict[str, Content | None]) -> None:
        names |= contents

    return change


def _removed(path: str) -> Change:
    def change(names: dict[str, Content | None]) -> None:
        names.pop(path, None)

    return change


def _folder(path: str) -> str:
    return Path(path).parent.as_posix()


def _folders(path: str) -> Iterator[str]:
    return (parent.as_posix() for parent in Path(path).parents)


def laid_out(root: Path, names: Mapping[str, bytes | None]) -> None:
    """Put what a cut has left on a real disk."""
    for path, data in sorted(names.items()):
        if data is None:
            (root / path).mkdir(parents=True, exist_ok=True)
        else:
            (root / path).write_bytes(data)
