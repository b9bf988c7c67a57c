"""Check uv.lock and .python-version: that uv would install the server with them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from scaffold.diagnostics import Diagnostic
from scaffold.diagnostics.wording import quote
from scaffold.publish.subject import PYTHON_VERSION, UV_LOCK, Subject
from scaffold.publish.toml import Toml
from scaffold.spec.publish import Package

_HINT = "run `uv lock`, and commit the file"
_NUMBERS = re.compile(r"\d+(\.\d+){0,2}")


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield what is wrong with the files by which uv installs a bundle or an image."""
    if not (subject.has(Package.OCI) or subject.has(Package.MCPB)):
        return
    if project := subject.project:
        yield from _lock(project, subject)
        if subject.has(Package.MCPB):
            yield from _python(project, subject)


def _lock(project: Toml, subject: Subject) -> Iterator[Diagnostic]:
    lock = subject.documents.get(UV_LOCK)
    table = project.table("project")
    if lock is None:
        if table.get("dependencies"):
            message = (
                f"there is no {UV_LOCK}: a bundle or an image would be built with untested versions"
            )
            place = project.place("project", "dependencies")
            yield Diagnostic("publish-lock", message, place, _HINT)
        return
    wrong = None
    if subject.repository and UV_LOCK not in subject.repository.files:
        wrong = "git ignores the file, so that no image or bundle can be built from it"
    else:
        wrong = _outdated(lock.text, table, subject.command)
    if wrong:
        yield Diagnostic("publish-lock", wrong, subject.place(UV_LOCK), _HINT)


def _outdated(text: str, table: Any, name: str) -> str | None:
    """Return why a lock file is not that of a project, or None if it is."""
    try:
        packages = tomllib.loads(text).get("package")
    except tomllib.TOMLDecodeError as error:
        return f"not valid TOML: {error}"
    listed = [one for one in packages or () if isinstance(one, dict)]
    own = next((one for one in listed if one.get("name") == canonicalize_name(name)), None)
    if own is None:
        return f"the file has no package {quote(name)}: it is that of another project"
    metadata = own.get("metadata")
    locked = metadata.get("requires-dist") if isinstance(metadata, dict) else None
    try:
        here = {*_required(map(Requirement, table.get("dependencies") or ()))}
        there = {
            (one["name"], SpecifierSet(one.get("specifier", "")))
            for one in locked or ()
            if "extra ==" not in one.get("marker", "")
        }
    except (InvalidRequirement, InvalidSpecifier, KeyError, TypeError, AttributeError):
        return None  # uv says what is wrong
    if changed := sorted(name for name, _ in here ^ there):
        return f"the dependency {quote(changed[0])} is not locked as pyproject.toml has it"
    return None


def _required(found: Iterable[Requirement]) -> Iterator[tuple[str, SpecifierSet]]:
    return ((canonicalize_name(one.name), one.specifier) for one in found)


def _python(project: Toml, subject: Subject) -> Iterator[Diagnostic]:
    """Yield a version of Python that the project does not accept."""
    document = subject.documents.get(PYTHON_VERSION)
    if document is None:
        return
    found = document.text.strip()
    wanted = project.table("project").get("requires-python")
    hint = "write a version that `requires-python` accepts, such as `3.13`"
    if not _NUMBERS.fullmatch(found):
        message = f"{quote(found)} is no version of Python"
    elif isinstance(wanted, str) and not _accepts(wanted, found):
        message = f"the host would install Python {found}, but the project requires {quote(wanted)}"
    else:
        return
    yield Diagnostic("publish-project", message, subject.place(PYTHON_VERSION), hint)


def _accepts(wanted: str, found: str) -> bool:
    newest = found if found.count(".") == 2 else f"{found}.99"  # uv takes the newest of them
    try:
        return Version(newest) in SpecifierSet(wanted)
    except (InvalidSpecifier, InvalidVersion):
        return True  # uv says what is wrong
