"""The modules that the server consists of: those that it imports, from its entry point on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scaffold.publish.bundle import SOURCE
from scaffold.publish.imports import Import, imports
from scaffold.publish.spots import root_of
from scaffold.publish.subject import MANIFEST, Subject
from scaffold.yaml.document import Document, Node

_NOTHING = Node(None, 0, 0, None, 0)


class Module(NamedTuple):
    """A module with its imports, or with the error that keeps it from being parsed."""

    path: str
    document: Document
    imports: tuple[Import, ...]
    error: Exception | None


def modules(subject: Subject, entries: Mapping[str, bytes]) -> Iterator[Module]:
    """Yield the modules that the server needs of those that are published."""
    waiting = [path for path in _starts(subject) if path in entries]
    seen = {*waiting}
    while waiting:
        path = waiting.pop()
        text = entries[path].decode("utf-8", "replace")
        document = Document(str(subject.root / path), text, None, _NOTHING)
        around = path.removeprefix(f"{SOURCE}/").split("/")[:-1]
        try:
            listed = tuple(imports(document, ".".join(around)))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            yield Module(path, document, (), error)
            continue
        yield Module(path, document, listed, None)
        for one in listed:
            names = [one.module, *(f"{one.module}.{name}" for name in one.names)]
            files = dict.fromkeys(file for name in names for file in _files(name, entries))
            waiting += [file for file in files if file not in seen]
            seen |= {*files}


def _starts(subject: Subject) -> Iterator[str]:
    """Yield the module that the command starts, and the one that the manifest names."""
    yield f"{SOURCE}/{subject.package}/__main__.py"
    document = subject.documents.get(MANIFEST)
    server = root_of(document).below("server") if document else None
    if server and (path := server.text("entry_point")):
        yield path


def _files(module: str, entries: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the files of a module, and of the packages around it."""
    parts = module.split(".")
    for end in range(1, len(parts) + 1):
        stem = "/".join([SOURCE, *parts[:end]])
        yield from (file for file in (f"{stem}/__init__.py", f"{stem}.py") if file in entries)
