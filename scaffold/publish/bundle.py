"""The bundle (.mcpb): the choice of its files, their errors, and a reproducible archive."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

from scaffold.base.diagnostics import Diagnostic, ScaffoldError, Severity
from scaffold.base.diagnostics.wording import quote
from scaffold.base.files import RelPath, path_key
from scaffold.disk.swap import save
from scaffold.format.publish import Package
from scaffold.publish.subject import ENTRY, MANIFEST, README, Subject, is_inside

_LICENSE = re.compile(r"(LICEN[CS]E|COPYING|NOTICE)([.-].*)?", re.IGNORECASE)
LARGEST = 200_000_000
"""The maximum bytes of a bundle: it is made in memory."""
_LEFTOVERS = re.compile(r"(^|/)(__pycache__|\.DS_Store|Thumbs\.db)(/|$)|\.(pyc|pyo|orig)$")


def files(subject: Subject) -> dict[str, bytes]:
    """Return the files of the bundle, by their sorted paths.

    These are the bundled files of its packs, the skills, and the files that the manifest names.
    Those that git ignores, symlinks, and those that running the server leaves behind, are not in
    it. Raises ScaffoldError if a file cannot be in a bundle (`bundle-file`).
    """
    result: dict[str, bytes] = {}
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
        result[path] = data.replace(b"\r\n", b"\n") if is_converted else data
    if broken:
        raise ScaffoldError(broken)
    return result


def _unportable(subject: Subject, paths: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield names of files that some systems cannot unpack."""
    spelt: dict[str, str] = {}
    for path in paths:
        twin = spelt.setdefault(path_key(path), path)
        try:
            RelPath(path)
        except ValueError:
            yield _refused(subject, path, "some systems cannot unpack a file of this name")
            continue
        if twin != path:
            yield _refused(subject, path, f"some systems take it for {quote(shown(twin))}")


def _refused(subject: Subject, path: str, why: str) -> Diagnostic:
    message = f"{quote(shown(path))} cannot be in the bundle: {why}"
    hint = "rename it, move it, or add it to .gitignore"
    return Diagnostic("bundle-file", message, subject.place(shown(path)), hint)


def shown(path: str) -> str:
    """Return a path that can be printed: names of files may be no text at all."""
    return path.encode(errors="surrogateescape").decode(errors="replace")


def published(subject: Subject) -> list[str]:
    """Return the sorted paths of the files of the bundle."""
    root, paths = subject.root, set[str]()
    named = [MANIFEST, README, *(p.name for p in root.iterdir() if _LICENSE.fullmatch(p.name))]
    named += [path for path in (subject.readme, *_named(subject)) if is_inside(path)]
    skills = filter(None, [subject.spec.skills_path])
    for path in (*named, *_beneath(root, (*subject.traits.bundles, *skills))):
        whole = root / path
        kept = subject.repository is None or path in subject.repository.files
        if kept and whole.is_file() and not whole.is_symlink() and not _LEFTOVERS.search(path):
            paths.add(path)
    return sorted(paths)


def _beneath(root: Path, paths: Iterable[str]) -> Iterator[str]:
    """Yield these paths, and those of everything in them."""
    for file in map(root.joinpath, filter(is_inside, paths)):
        yield from (each.relative_to(root).as_posix() for each in (file, *file.rglob("*")))


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


def write(subject: Subject) -> tuple[Path, str]:
    """Write the bundle, and beside it server.json with its hash; return its path and its hash.

    Raises ScaffoldError if the spec does not ask for one (`not-published`).
    """
    if not subject.has(Package.MCPB):
        message, hint = "the spec does not publish a bundle", "add `mcpb` to `publish.packages`"
        where = subject.source.place("/publish/packages")
        raise ScaffoldError.of("not-published", message, where, hint)
    data, path = archive(files(subject)), subject.bundle
    digest = hashlib.sha256(data).hexdigest()
    entry = json.loads(subject.generated[ENTRY])
    for package in entry["packages"]:
        if package["registryType"] == Package.MCPB:
            package["fileSha256"] = digest
    text = json.dumps(entry, indent=2, ensure_ascii=False) + "\n"
    for file, content in ((path, data), (path.with_name(ENTRY), text.encode())):
        save(file, content, file.read_bytes() if file.is_file() else None)
    return path, digest


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield the errors in the files of a package or a bundle."""
    git = subject.repository
    for path in sorted(_beneath(subject.root, subject.traits.bundles)):
        if (subject.root / path).is_symlink() and (git is None or path in git.files):
            message = f"{quote(shown(path))} is a symlink, and would not be published"
            hint = "put a copy in its place, or add it to .gitignore"
            yield Diagnostic("bundle-file", message, subject.place(shown(path)), hint)
    entries = files(subject)
    if not subject.has(Package.MCPB):
        return
    for path in (*subject.required, *filter(None, (subject.readme,)), *_named(subject)):
        if path not in entries:
            if (subject.root / path).is_file():
                why, hint = "git ignores it", "remove its pattern from .gitignore"
            else:
                why = "there is no such file"
                hint = "add it; `mcp-scaffold publish --metadata` writes what is generated"
            message = f"{quote(path)} is not in the bundle, which needs it: {why}"
            yield Diagnostic("bundle-file", message, subject.place(path), hint)
    if new := sorted(git.new & entries.keys()) if git else []:
        listed = ", ".join(map(quote, new[:3])) + (", …" if new[3:] else "")
        message = f"{listed} would be in the bundle, but not in a clone, whose hash differs"
        place, hint = subject.place(new[0]), "add these files to git, or to .gitignore"
        yield Diagnostic("bundle-file", message, place, hint, Severity.WARNING)


def _named(subject: Subject) -> Iterator[str]:
    """Yield the files that the manifest names."""
    manifest = subject.manifest
    icons = [icon.get("src") for icon in manifest.get("icons") or () if isinstance(icon, dict)]
    start = manifest.get("server", {}).get("entry_point")
    shots = manifest.get("screenshots") or ()
    for path in (start, manifest.get("icon"), *icons, *shots):
        if isinstance(path, str) and "://" not in path:
            yield path
