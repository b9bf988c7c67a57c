"""Check pyproject.toml: what it builds has a name, the server and its command, and is accepted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.version import InvalidVersion, Version

from scaffold.diagnostics import Diagnostic
from scaffold.diagnostics.wording import quote
from scaffold.publish.spots import root_of
from scaffold.publish.subject import ENTRY, Subject
from scaffold.publish.toml import Toml
from scaffold.spec.publish import Package

_SCRIPT = re.compile(r"(?P<module>[\w.]+)(:(?P<function>\w+)(\.\w+)*)?")


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield what keeps the package from being built, accepted, or started by its name."""
    yield from _version(subject)
    if project := subject.project:
        yield from _identity(project, subject)
        yield from _command(project, subject)
        yield from _wheel(project, subject)
        yield from _license(project)
        if subject.has(Package.PYPI):
            yield from _refused(project)


def _version(subject: Subject) -> Iterator[Diagnostic]:
    """Yield a version of the spec that an index of packages or images has no place for."""
    version, kinds = subject.version, (Package.PYPI, Package.OCI)
    try:
        parsed = Version(version)
    except InvalidVersion:
        message = f"a Python package cannot have the version {quote(version)}"
    else:
        if not parsed.local or not any(map(subject.has, kinds)):
            return
        message = f"{quote(version)} is a local version, which indexes refuse"
    place = subject.source.place("/version")
    hint = "write numbers with dots between them, such as `1.2.0`, or `1.2.0-rc.1`"
    yield Diagnostic("publish-version", message, place, hint, pointer="/version")


def _identity(project: Toml, subject: Subject) -> Iterator[Diagnostic]:
    table = project.table("project")
    if "name" not in table:
        line = f'name = "{subject.command}"'
        fix = project.adding("project", line)
        message, place = "the package has no name", project.place("project")
        yield Diagnostic("publish-project", message, place, f"add `{line}`", fix=fix)
    if "version" in table:
        return
    line = f'version = "{subject.version}"'
    if "version" in (table.get("dynamic") or ()):
        message = "the version is dynamic, so that it may not be the one that was checked"
        place, hint = project.place("project", "dynamic"), f"write `{line}` instead"
        yield Diagnostic("publish-version", message, place, hint)
    else:
        fix, place = project.adding("project", line), project.place("project")
        message = "the package has no version"
        yield Diagnostic("publish-version", message, place, f"add `{line}`", fix=fix)


def _command(project: Toml, subject: Subject) -> Iterator[Diagnostic]:
    """Yield a command that clients start and that is not there, or that leads nowhere."""
    table = project.table("project")
    scripts = table.get("scripts")
    found = scripts.get(subject.command) if isinstance(scripts, dict) else None
    hint = f'write `{subject.command} = "{subject.package}.__main__:main"` in `[project.scripts]`'
    if not isinstance(found, str):
        if not _is_started_otherwise(subject):
            message = f"the package has no command {quote(subject.command)}, which clients start"
            place = project.place("project.scripts")
            yield Diagnostic("publish-project", message, place, hint)
        return
    script = _SCRIPT.fullmatch(found.replace(" ", ""))
    module = script["module"].replace(".", "/") if script else ""
    files = [subject.root / "src" / f"{module}{end}" for end in (".py", "/__init__.py")]
    text = next((one.read_text("utf-8", "replace") for one in files if one.is_file()), None)
    function = script["function"] if script else None
    if not function or text is None or not re.search(rf"\b{function}\b", text):
        message = f"the command starts {quote(found)}, which is not there"
        place = project.place("project.scripts", subject.command)
        yield Diagnostic("publish-project", message, place, hint)


def _is_started_otherwise(subject: Subject) -> bool:
    """Return whether only server.json starts the package, and with another command of it."""
    entry = subject.documents.get(ENTRY)
    packages = [*root_of(entry).items("packages")] if entry else []
    return subject.publish.packages == (Package.PYPI,) and any(
        argument.text("name") == "--from"
        for package in packages
        for argument in package.items("runtimeArguments")
    )


def _wheel(project: Toml, subject: Subject) -> Iterator[Diagnostic]:
    """Yield a list of packages for hatchling without that of the server."""
    at: Any = project.values
    for key in ("tool", "hatch", "build", "targets", "wheel", "packages"):
        at = at.get(key) if isinstance(at, Mapping) else None
    if isinstance(at, list) and f"src/{subject.package}" not in [
        str(one).strip("./") for one in at
    ]:
        message = f"the package is built without {quote(subject.package)}, which is the server"
        place = project.place("tool.hatch.build.targets.wheel", "packages")
        yield Diagnostic("publish-project", message, place, f'add `"src/{subject.package}"`')


def _license(project: Toml) -> Iterator[Diagnostic]:
    found = project.table("project").get("license")
    if isinstance(found, str):
        try:
            canonicalize_license_expression(found)
        except InvalidLicenseExpression:
            message = f"{quote(found)} is no SPDX expression, so that nothing is built"
            hint = "write one, such as `MIT` or `Apache-2.0`, here and in the spec"
            place = project.place("project", "license")
            yield Diagnostic("publish-project", message, place, hint)


def _refused(project: Toml) -> Iterator[Diagnostic]:
    """Yield what makes a package index refuse the package."""
    table = project.table("project")
    for one in table.get("classifiers") or ():
        if str(one).startswith("Private ::"):
            message = f"package indexes refuse the classifier {quote(str(one))}"
            place = project.place("project", "classifiers")
            yield Diagnostic("publish-project", message, place, "remove it")
    optional = table.get("optional-dependencies")
    groups = [*optional.values()] if isinstance(optional, dict) else []
    for group in [table.get("dependencies"), *groups]:
        for one in group if isinstance(group, list) else ():
            if re.match(r"[\w.\[\], -]+@", str(one)):
                message = f"package indexes refuse the dependency {quote(str(one))} on an address"
                place = project.place("project", "dependencies")
                hint = "depend on a version of a package in the index"
                yield Diagnostic("publish-project", message, place, hint)
