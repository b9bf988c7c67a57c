"""Check that every file names the version of the spec, and that git's tags agree with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from packaging.version import InvalidVersion, Version

from scaffold.diagnostics import Diagnostic, Edit, Fix, Place, Severity
from scaffold.diagnostics.wording import quote
from scaffold.project.publishing import release_url
from scaffold.publish.entry import is_range
from scaffold.publish.spots import root_of
from scaffold.publish.subject import ENTRY, MANIFEST, PACKAGE, PLUGIN, UV_LOCK, Subject
from scaffold.spec.publish import Package
from scaffold.yaml.document import Document
from scaffold.yaml.edits import replaced
from scaffold.yaml.finding import Finding

_TAG = r"(?:(?:releases?|{name})[/@_-])?[vV]?(\d.*)|(v.*)"
_LOCKED = re.compile(r'^\[\[package\]\]\nname = "([^"]+)"\nversion = "([^"]*)"', re.MULTILINE)


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield versions that are not the one that the spec says."""
    for path in (ENTRY, MANIFEST, PLUGIN, PACKAGE):
        document = subject.documents.get(path)
        if document and (path != PACKAGE or root_of(document).text("mcpName")):
            yield from _in_json(document, "/version", subject.version)
    if entry := subject.documents.get(ENTRY):
        yield from _packages(entry, subject)
    yield from _in_project(subject)
    yield from _in_lock(subject)
    yield from _in_image(subject)
    yield from _tags(subject)


def _fault(found: str, wanted: str, place: Place, fix: Fix | None = None) -> Diagnostic:
    message = f"the version is {quote(found)} here, but {quote(wanted)} in the spec"
    return Diagnostic("publish-version", message, place, f"write `{wanted}`", fix=fix)


def _in_json(document: Document, at: str, wanted: str) -> Iterator[Diagnostic]:
    node = document.node(at)
    found = node.value if node else None
    is_checked = document.name.endswith((ENTRY, MANIFEST))  # whose formats say what is a text
    if node and not isinstance(found, str) and not is_checked:
        yield _fault(json.dumps(found), wanted, document.place(at), replaced(document, at, wanted))
    elif isinstance(found, str) and found != wanted and not is_range(found):
        yield _fault(found, wanted, document.place(at), replaced(document, at, wanted))


def _packages(entry: Document, subject: Subject) -> Iterator[Diagnostic]:
    for package in root_of(entry).items("packages"):
        identifier = package.text("identifier") or ""
        at = f"{package.at}/identifier"
        match package.text("registryType"):
            case Package.PYPI:
                yield from _in_json(entry, f"{package.at}/version", subject.version)
            case Package.OCI:
                name, _, tag = identifier.partition("@")[0].rpartition(":")
                if name and "/" not in tag and tag not in ("latest", subject.version):
                    fix = replaced(entry, at, f"{name}:{subject.version}")
                    yield _fault(tag, subject.version, entry.place(at), fix)
            case Package.MCPB:
                repository = subject.publish.repository_of(subject.spec.name)
                parts = identifier.split("/")
                is_released = len(parts) > 5 and "releases" in parts
                if repository and is_released and not _is_of(parts, subject):
                    url = release_url(repository, subject.version, subject.bundle.name)
                    message = f"this is not the bundle of version {quote(subject.version)}"
                    yield Finding(
                        at,
                        "publish-version",
                        message,
                        f"write `{url}`",
                        fix=replaced(entry, at, url),
                    ).diagnostic(entry, Severity.ERROR)


def _is_of(parts: list[str], subject: Subject) -> bool:
    """Return whether the address of a release is that of the version."""
    versions = {subject.version, f"v{subject.version}"}
    return bool(versions & {*parts}) and subject.bundle.name in parts


def _in_project(subject: Subject) -> Iterator[Diagnostic]:
    project = subject.project
    found = project.table("project").get("version") if project else None
    if project and isinstance(found, str) and found != subject.version:
        fix = project.replacing("project", "version", f'"{subject.version}"')
        yield _fault(found, subject.version, project.place("project", "version"), fix)


def _in_lock(subject: Subject) -> Iterator[Diagnostic]:
    lock = subject.documents.get(UV_LOCK)
    if lock:
        for found in _LOCKED.finditer(lock.text):
            if found[1] == subject.command and not _is_same(found[2], subject.version):
                place = lock.at(*found.span(2))
                message = f"the version is {quote(found[2])} here, but {quote(subject.version)} in the spec"
                yield Diagnostic("publish-version", message, place, "run `uv lock`")


def _is_same(one: str, other: str) -> bool:
    """Return whether two versions are the same (PEP 440); uv writes them in their normal form."""
    try:
        return Version(one) == Version(other)
    except InvalidVersion:
        return one == other


def _in_image(subject: Subject) -> Iterator[Diagnostic]:
    image = subject.image
    if image is None or not subject.has(Package.OCI):
        return
    for key, ((found, is_fixed), start, end) in image.labels:
        is_version = key == "org.opencontainers.image.version" and is_fixed
        if is_version and found is not None and found != subject.version:
            fix = Fix((Edit(start, end, f'"{subject.version}"'),), "")
            yield _fault(found, subject.version, image.document.at(start, end), fix)


def _tags(subject: Subject) -> Iterator[Diagnostic]:
    """Yield tags of the commit for another version, and those of the version elsewhere."""
    git, version = subject.repository, subject.version
    if git is None:
        return
    place = subject.source.place("/version")
    pattern = re.compile(_TAG.format(name=re.escape(subject.spec.name)))
    here = {tag: found[1] for tag in git.tags if (found := pattern.fullmatch(tag))}
    wrong = sorted(tag for tag, found in here.items() if found != version)
    if here and not wrong and f"v{version}" not in here:
        wrong = sorted(here)
    if wrong:
        tags = ", ".join(map(quote, wrong))
        message = f"the commit is tagged {tags}, but the version is {quote(version)}"
        hint = f"tag it `v{version}` alone, or change the version in the spec"
        yield Diagnostic("publish-tag", message, place, hint, pointer="/version")
    if taken := {version, f"v{version}"} & git.others:
        message = (
            f"the tag {quote(min(taken))} is that of another commit, and versions never change"
        )
        hint = "raise the version in the spec, and run `mcp-scaffold regenerate`"
        yield Diagnostic("publish-tag", message, place, hint, pointer="/version")
