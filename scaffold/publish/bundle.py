"""The bundle (.mcpb): which files are in it, and the same bytes wherever it is written."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

from scaffold.diagnostics import Diagnostic, ScaffoldError
from scaffold.diagnostics.wording import quote
from scaffold.disk.save import save
from scaffold.publish import manifest
from scaffold.publish.subject import (
    MANIFEST,
    PROJECT,
    PYTHON_VERSION,
    README,
    UV_LOCK,
    Subject,
    is_inside,
)
from scaffold.spec.publish import Package

SOURCE = "src"
_BESIDE = (MANIFEST, PROJECT, PYTHON_VERSION, README, UV_LOCK)
_LICENSE = re.compile(r"(LICEN[CS]E|COPYING|NOTICE)([.-].*)?", re.IGNORECASE)
LARGEST = 200_000_000
"""The maximum bytes of a bundle: it is made in memory."""
_PORTABLE = re.compile(r"[^\x00-\x1f\x7f<>:\"|?*\\\ud800-\udfff]+")
_DEVICE = re.compile(
    r"(^|/)(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.[^/]*)?(/|$)|[. ](/|$)", re.IGNORECASE
)
_LEFTOVERS = re.compile(r"(^|/)(__pycache__|\.DS_Store|Thumbs\.db)(/|$)|\.(pyc|pyo|orig)$")


def files(subject: Subject) -> dict[str, bytes]:
    """Return the files of the bundle, by their sorted paths.

    These are the sources, what uv needs to install them, and what the manifest names. Those that
    git ignores, symlinks, and those that running the server leaves behind, are not in it. Raises
    ScaffoldError if a file cannot be in a bundle (`bundle-file`).
    """
    found: dict[str, bytes] = {}
    room = LARGEST
    paths = published(subject)
    broken = [*_unportable(subject, paths)]
    for path in paths if not broken else ():
        file = subject.root / path
        try:
            room -= file.stat().st_size
            data = file.read_bytes() if room >= 0 else b""
        except OSError as error:
            broken.append(_refused(subject, path, f"it cannot be read: {error.strerror}"))
            continue
        if room < 0:
            broken.append(_refused(subject, path, f"it has more than {LARGEST // 10**6} MB then"))
            break
        # As git stores it: a checkout on another system has the same bytes.
        is_converted = subject.repository and path in subject.repository.converted
        found[path] = data.replace(b"\r\n", b"\n") if is_converted else data
    if broken:
        raise ScaffoldError(broken)
    return found


def published(subject: Subject) -> list[str]:
    """Return the sorted paths of the files of the bundle."""
    return sorted({*_paths(subject)})


def _unportable(subject: Subject, paths: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield names of files that some systems cannot unpack."""
    spelt: dict[str, str] = {}
    for path in paths:
        twin = spelt.setdefault(unicodedata.normalize("NFC", path).casefold(), path)
        if not _PORTABLE.fullmatch(path) or _DEVICE.search(path):
            yield _refused(subject, path, "some systems cannot unpack a file of this name")
        elif twin != path:
            yield _refused(subject, path, f"some systems take it for {quote(shown(twin))}")


def _refused(subject: Subject, path: str, why: str) -> Diagnostic:
    message = f"{quote(shown(path))} cannot be in the bundle: {why}"
    hint = "rename it, move it, or add it to .gitignore"
    return Diagnostic("bundle-file", message, subject.place(shown(path)), hint)


def shown(path: str) -> str:
    """Return a path that can be printed: names of files may be no text at all."""
    return path.encode(errors="surrogateescape").decode(errors="replace")


def _paths(subject: Subject) -> Iterator[str]:
    root = subject.root
    named = [*_BESIDE, *(p.name for p in root.iterdir() if _LICENSE.fullmatch(p.name))]
    if document := subject.documents.get(MANIFEST):
        named += [path for _, path in manifest.files(document) if is_inside(path)]
    if subject.project and isinstance(
        readme := subject.project.table("project").get("readme"), str
    ):
        named += [readme] if is_inside(readme) else []
    found = (path.relative_to(root).as_posix() for path in (root / SOURCE).rglob("*"))
    for path in (*named, *found):
        whole = root / path
        kept = subject.repository is None or path in subject.repository.files
        if kept and whole.is_file() and not whole.is_symlink() and not _LEFTOVERS.search(path):
            yield path


def archive(entries: Mapping[str, bytes]) -> bytes:
    """Return a zip archive whose bytes depend on nothing but its entries.

    Nothing is compressed: versions of zlib differ in their output.
    """
    data = BytesIO()
    with ZipFile(data, "w") as bundle:
        for path in sorted(entries):
            info = ZipInfo(path)  # of 1980, the first year that a zip archive knows
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            bundle.writestr(info, entries[path])
    return data.getvalue()


def digest(data: bytes) -> str:
    """Return the hash of a bundle, as the registry wants it."""
    return hashlib.sha256(data).hexdigest()


def names(path: Path) -> list[str]:
    """Return the names of the files in a bundle. Raises zipfile.BadZipFile or OSError."""
    with ZipFile(path) as bundle:
        return bundle.namelist()


def write(subject: Subject) -> tuple[Path, str]:
    """Write the bundle, and return its path and its hash.

    Raises ScaffoldError if the spec does not ask for one (`not-published`).
    """
    if not subject.has(Package.MCPB):
        message, hint = "the spec does not publish a bundle", "add `mcpb` to `publish.packages`"
        where = subject.source.place("/publish/packages")
        raise ScaffoldError.of("not-published", message, where, hint)
    data, path = archive(files(subject)), subject.bundle
    save(path, data, path.read_bytes() if path.is_file() else None)
    return path, digest(data)
