"""Check server.json: everything that the registry refuses, beyond what the schema says.

The rules are those of the registry's own validators.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from scaffold.diagnostics import Diagnostic, Severity
from scaffold.diagnostics.wording import quote
from scaffold.publish import formats, packages, transports
from scaffold.publish.spots import Spot, root_of
from scaffold.publish.subject import ENTRY, Subject
from scaffold.yaml.document import Document
from scaffold.yaml.edits import added, replaced
from scaffold.yaml.finding import Finding

LONGEST = 100
"""The maximum characters of a title or a description."""
_LARGEST_META = 4096

_VERSION = r"v?\d+(\.\d+){0,3}(-[0-9A-Za-z.-]+)?"
_RANGE = re.compile(
    rf"\s*(([\^~<>=]|>=|<=|==|~=|!=)\s*{_VERSION}.*"
    rf"|{_VERSION}\s+-\s+{_VERSION}"
    rf"|{_VERSION}\s*(\|\||,).*"
    r"|(v?\d+|[xX*])(\.(\d+|[xX*]))*\.[xX*]|[xX*])\s*"
)
_REPOSITORY = {
    "github": re.compile(r"https?://(www\.)?github\.com/[\w.-]+/[\w.-]+/?"),
    "gitlab": re.compile(r"https?://(www\.)?gitlab\.com/[\w.-]+(/[\w.-]+)+/?"),
}


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield what the registry would refuse about server.json."""
    document = subject.documents.get(ENTRY)
    if document is None:
        return
    found = [*formats.faults(formats.SERVER, document)]
    found += [*_findings(subject, document), *([] if found else _unlisted(subject, document))]
    for finding in found:
        yield finding.diagnostic(document, Severity.ERROR)


def _findings(subject: Subject, document: Document) -> Iterator[Finding]:
    whole = root_of(document)
    yield from _texts(whole)
    yield from _repository(whole, subject)
    yield from _subfolder(whole, subject, document)
    yield from _meta(whole)
    yield from _twice(whole)
    for package in whole.items("packages"):
        yield from packages.faults(package, subject, document)
    for remote in whole.items("remotes"):
        yield from transports.of_remote(remote)
    for spot in (whole, *whole.items("packages")):
        yield from _range(spot)


def _unlisted(subject: Subject, document: Document) -> Iterator[Finding]:
    """Yield packages that the spec publishes and that are not listed."""
    listed = {one.text("registryType") for one in root_of(document).items("packages")}
    for kind in subject.publish.packages:
        if kind not in listed:
            message = f"the spec publishes a package of type `{kind}`, which is not listed"
            hint = "run `mcp-scaffold regenerate`, or add the package"
            yield Finding("/packages", "publish-package", message, hint, at_key=True)


def _texts(whole: Spot) -> Iterator[Finding]:
    for key in ("title", "description"):
        text = whole.text(key)
        if text is None:
            continue
        if not text.strip():
            message = f"the {key} is blank, which the registry refuses"
            yield Finding(f"/{key}", "publish-text", message, f"write a {key}, or remove the key")
        elif len(text) > LONGEST:
            message = f"the {key} has {len(text)} characters; the registry accepts {LONGEST}"
            where = "publish: {description: …}" if key == "description" else "title: …"
            hint = (
                f"write a shorter one in the spec, as `{where}`, and run `mcp-scaffold regenerate`"
            )
            yield Finding(f"/{key}", "publish-text", message, hint)


def _twice(whole: Spot) -> Iterator[Finding]:
    """Yield packages that are listed before."""
    seen = set[tuple[str | None, str | None]]()
    for package in whole.items("packages"):
        key = (package.text("registryType"), package.text("identifier"))
        if key in seen:
            yield Finding(
                package.at, "publish-package", "the package is listed twice", "remove one"
            )
        seen.add(key)


def _repository(whole: Spot, subject: Subject) -> Iterator[Finding]:
    repository = whole.below("repository")
    source, url = (repository.text(key) if repository else None for key in ("source", "url"))
    if source in _REPOSITORY and url is not None and not _REPOSITORY[source].fullmatch(url):
        message = f"{quote(url)} is not the address of a repository on {source}"
        hint = f"write `https://{source}.com/OWNER/NAME`"
        yield Finding("/repository/url", "publish-address", message, hint)
        return
    wanted = subject.publish.repository_of(subject.spec.name)
    if wanted and url is not None and url.rstrip("/").lower() != wanted.lower():
        message = f"the repository is {quote(url)} here, but {quote(wanted)} in the spec"
        yield Finding("/repository/url", "publish-address", message, f"write `{wanted}`")


def _subfolder(whole: Spot, subject: Subject, document: Document) -> Iterator[Finding]:
    """Yield a subfolder of the repository that is not that of the project."""
    repository = whole.below("repository")
    folder = subject.repository.folder if subject.repository else None
    if repository is None or folder is None or repository.value.get("subfolder", "") == folder:
        return
    at = f"{repository.at}/subfolder"
    if not folder:
        message = "the project is the root of its repository, and not in a subfolder"
        yield Finding(at, "publish-address", message, "remove the key", at_key=True)
        return
    message = f"the project is in {quote(folder)} of its repository"
    hint = f'write `"subfolder": {json.dumps(folder)}`'
    if "subfolder" in repository.value:
        fix = replaced(document, at, folder)
        yield Finding(at, "publish-address", message, hint, fix=fix)
    else:
        fix = added(document, at, json.dumps(folder))
        message += ", which `repository` does not say"
        yield Finding(repository.at, "publish-address", message, hint, at_key=True, fix=fix)


def _meta(whole: Spot) -> Iterator[Finding]:
    meta = whole.below("_meta")
    extra = meta.below(formats.META) if meta else None
    size = (
        len(json.dumps(extra.value, separators=(",", ":"), ensure_ascii=False).encode())
        if extra
        else 0
    )
    if extra and size > _LARGEST_META:
        message = f"this is {size} bytes; the registry accepts {_LARGEST_META}"
        yield Finding(extra.at, "publish-meta", message, "leave out the largest part", at_key=True)


def _range(spot: Spot) -> Iterator[Finding]:
    version = spot.text("version")
    if version == "latest" or (version and _RANGE.fullmatch(version)):
        message = f"{quote(version)} is no single version"
        yield Finding(
            f"{spot.at}/version", "publish-range", message, "write the version that is published"
        )


def is_range(version: str) -> bool:
    """Return whether a version is `latest` or a range, which have a finding of their own."""
    return version == "latest" or _RANGE.fullmatch(version) is not None
