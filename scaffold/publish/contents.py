"""Check the files of a package or a bundle: all that the server imports, and nothing private."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from zipfile import BadZipFile

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError, Severity
from scaffold.diagnostics.wording import quote
from scaffold.publish import bundle, dependencies, manifest, secrets
from scaffold.publish.imports import Import
from scaffold.publish.reached import Module, modules
from scaffold.publish.spots import root_of
from scaffold.publish.subject import (
    ENTRY,
    MANIFEST,
    PROJECT,
    PYTHON_VERSION,
    Subject,
)
from scaffold.spec.publish import Package
from scaffold.yaml.document import Document
from scaffold.yaml.edits import added, replaced
from scaffold.yaml.finding import Finding

_COMPILED = re.compile(r"\.(so|pyd)$")


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield what is wrong with the files that are published."""
    try:
        entries = bundle.files(subject)
    except ScaffoldError as error:
        yield from error.diagnostics
        return
    yield from _links(subject)
    reached = [*modules(subject, entries)]
    yield from _imported(subject, entries, reached)
    yield from dependencies.faults(subject, reached)
    yield from secrets.faults(subject, entries)
    document = subject.documents.get(MANIFEST)
    if document is None or not subject.has(Package.MCPB):
        return
    yield from _named(subject, document, entries)
    yield from _needed(subject, entries)
    yield from _unknown(subject, entries)
    data = bundle.archive(entries)
    yield from _hash(subject, bundle.digest(data))
    yield from _written(subject, data)


def _named(
    subject: Subject, document: Document, entries: Mapping[str, bytes]
) -> Iterator[Diagnostic]:
    """Yield files that the manifest names and that are not in the bundle."""
    for at, path in manifest.files(document):
        if path not in entries and not at.startswith("/icon"):
            why = "git ignores it" if (subject.root / path).is_file() else "there is no such file"
            why = "it is a symlink" if (subject.root / path).is_symlink() else why
            message = f"{quote(path)} is not in the bundle: {why}"
            yield Finding(at, "bundle-file", message, "name a file of the project").diagnostic(
                document, Severity.ERROR
            )


def _needed(subject: Subject, entries: Mapping[str, bytes]) -> Iterator[Diagnostic]:
    """Yield files without which uv cannot install the server."""
    for path in (PROJECT, PYTHON_VERSION):
        if path not in entries:
            message = f"{quote(path)} is not in the bundle"
            hint = f"run `mcp-scaffold regenerate --force {path}`"
            if (subject.root / path).is_file():
                hint = "git ignores it: remove its pattern from .gitignore"
            yield Diagnostic("bundle-file", message, subject.place(path), hint)
    readme = subject.project.table("project").get("readme") if subject.project else None
    is_left_out = isinstance(readme, str) and readme not in entries
    if subject.project and is_left_out and (subject.root / str(readme)).is_file():
        message = f"{quote(str(readme))} is not in the bundle, and nothing is installed without it"
        place = subject.project.place("project", "readme")
        hint = "git ignores it: remove its pattern from .gitignore"
        yield Diagnostic("bundle-file", message, place, hint)


def _links(subject: Subject) -> Iterator[Diagnostic]:
    """Yield symlinks among the sources: a bundle has none, and a package may lose them."""
    git = subject.repository
    for file in sorted((subject.root / bundle.SOURCE).rglob("*")):
        path = file.relative_to(subject.root).as_posix()
        if file.is_symlink() and (git is None or path in git.files):
            message = f"{quote(bundle.shown(path))} is a symlink, and would not be published"
            hint = "put a copy in its place, or add it to .gitignore"
            yield Diagnostic("bundle-file", message, subject.place(bundle.shown(path)), hint)


def _unknown(subject: Subject, entries: Mapping[str, bytes]) -> Iterator[Diagnostic]:
    """Yield files that git does not know: another clone would make another bundle."""
    git = subject.repository
    new = sorted(git.new & entries.keys()) if git else []
    if new:
        listed = ", ".join(quote(path) for path in new[:3]) + (", …" if new[3:] else "")
        message = f"{listed} would be in the bundle, but not in a clone, whose hash differs"
        place, hint = subject.place(new[0]), "add it to git, or to .gitignore"
        yield Diagnostic("bundle-file", message, place, hint, Severity.WARNING)


def _imported(
    subject: Subject, entries: Mapping[str, bytes], found: Iterable[Module]
) -> Iterator[Diagnostic]:
    """Yield imports of modules that would not be published."""
    for module in found:
        if error := module.error:
            line = getattr(error, "lineno", None) or 1
            why = str(error) or "it is nested too deeply"
            message = f"{quote(module.path)} cannot be parsed: {why}"
            place, hint = Place(module.document.name, line), "correct the module"
            yield Diagnostic("bundle-file", message, place, hint)
        for one in module.imports:
            for name in (one.module, *(f"{one.module}.{name}" for name in one.names)):
                if not one.is_optional:
                    yield from _missing(subject, name, one, entries)


def _missing(
    subject: Subject, module: str, one: Import, entries: Mapping[str, bytes]
) -> Iterator[Diagnostic]:
    """Yield a module of the project that would not be published."""
    stem = f"{bundle.SOURCE}/{module.replace('.', '/')}"
    file = subject.root / f"{stem}.py"
    if f"{stem}.py" in entries or any(
        path.startswith(f"{stem}/") or (path.startswith(f"{stem}.") and _COMPILED.search(path))
        for path in entries
    ):
        return
    is_there = file.is_file() or any((subject.root / stem).rglob("*.py"))
    is_own = module == one.module and module.split(".")[0] == subject.package
    if is_there or is_own:  # what is imported from a module may also be a function or a class
        why = "git ignores it" if is_there else "there is no such module"
        why = "it is a symlink" if file.is_symlink() else why
        message = f"`{module}` is imported, but would not be published: {why}"
        hint = "remove its pattern from .gitignore, or the import"
        yield Diagnostic("bundle-file", message, one.place, hint)


def _hash(subject: Subject, wanted: str) -> Iterator[Diagnostic]:
    entry = subject.documents.get(ENTRY)
    hint = "run `mcp-scaffold publish --metadata`"
    for package in root_of(entry).items("packages") if entry else ():
        if package.value.get("registryType") != Package.MCPB:
            continue
        assert entry
        at, found = f"{package.at}/fileSha256", package.text("fileSha256")
        if "fileSha256" not in package.value:
            adding = added(entry, at, f'"{wanted}"')
            message = "the package has no hash of the bundle, which the registry demands"
            yield Finding(package.at, "publish-hash", message, hint, fix=adding).diagnostic(
                entry, Severity.ERROR
            )
        elif found != wanted:
            message = "this is not the hash of the bundle, so that clients would refuse it"
            fix = replaced(entry, at, wanted)
            yield Finding(at, "publish-hash", message, hint, fix=fix).diagnostic(
                entry, Severity.ERROR
            )


def _written(subject: Subject, data: bytes) -> Iterator[Diagnostic]:
    """Yield differences between the bundle that was written, if one was, and what it should be."""
    path = subject.bundle
    if not path.is_file() or path.read_bytes() == data:
        return
    place = Place(str(path))
    try:
        private = [name for name in bundle.names(path) if secrets.is_private(name)]
    except (BadZipFile, OSError):
        private = []
    if private:
        listed = ", ".join(quote(name) for name in private[:3])
        message = f"the bundle holds {listed}, which would be public"
        yield Diagnostic("bundle-secret", message, place, "run `mcp-scaffold publish --bundle`")
    else:
        message = "the bundle was not written from the project as it is now"
        hint = "run `mcp-scaffold publish --bundle`"
        yield Diagnostic("bundle-stale", message, place, hint, Severity.WARNING)
