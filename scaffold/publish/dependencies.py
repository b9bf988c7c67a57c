"""Check that pyproject.toml declares what the server imports, as far as it is known what that is.

Names of modules and of packages differ, and only installed packages say which modules they have.
They are looked for in the project's own environment, or else beside mcp-scaffold itself.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from scaffold.diagnostics import Diagnostic
from scaffold.diagnostics.wording import quote
from scaffold.publish.bundle import SOURCE
from scaffold.publish.imports import Import
from scaffold.publish.reached import Module
from scaffold.publish.subject import UV_LOCK, Subject
from scaffold.yaml.document import Document

_Needed = tuple[str, frozenset[str]]
"""A package that is required, and with which extras."""


def faults(subject: Subject, modules: Iterable[Module]) -> Iterator[Diagnostic]:
    """Yield imports of packages that would not be installed with the server."""
    project = subject.project.table("project") if subject.project else {}
    foreign = _foreign(subject, modules)
    if not foreign or "dependencies" in (project.get("dynamic") or ()):
        return
    installed = _Installed.beside(subject.root)
    known = _with_theirs(project.get("dependencies"), installed, subject.documents.get(UV_LOCK))
    for name, one in foreign.items():
        owners = installed.packages_of(name) if known is not None else frozenset[str]()
        if known is not None and owners and not owners & known:
            owner = min(owners)
            message = f"{quote(name)} is imported, but {quote(owner)} is not among the dependencies"
            hint = f"run `uv add {owner}`, or add it to `dependencies` in pyproject.toml"
            yield Diagnostic("publish-dependency", message, one.place, hint)


def _foreign(subject: Subject, modules: Iterable[Module]) -> Mapping[str, Import]:
    """Return the imports of neither own modules nor the standard library, by their names."""
    source = subject.root / SOURCE
    found: dict[str, Import] = {}
    for one in (one for module in modules for one in module.imports if not one.is_optional):
        name = one.module.split(".")[0]
        is_own = (source / name).is_dir() or any(source.glob(f"{name}.*"))
        if name and name not in sys.stdlib_module_names and not is_own:
            found.setdefault(name, one)
    return found


@dataclass(frozen=True)
class _Installed:
    """The packages in an environment, by their normal names."""

    packages: Mapping[str, Distribution]

    @classmethod
    def beside(cls, root: Path) -> _Installed:
        """Return what is installed for a project, or else for mcp-scaffold."""
        own = [
            *root.glob(".venv/lib/python3*/site-packages"),
            *root.glob(".venv/Lib/site-packages"),
        ]
        found = distributions(path=[str(path) for path in own] or sys.path)
        return cls({canonicalize_name(one.name): one for one in found if one.name})

    def packages_of(self, module: str) -> frozenset[str]:
        """Return the packages that have a module."""
        return self._modules.get(module, frozenset())

    @cached_property
    def _modules(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for name, one in self.packages.items():
            for file in one.files or ():
                top = file.parts[0].partition(".")[0]
                if file.suffix in (".py", ".so", ".pyd", ".pyi") and top.isidentifier():
                    found.setdefault(top, set()).add(name)
        return {module: frozenset(names) for module, names in found.items()}


def _with_theirs(
    declared: object, installed: _Installed, lock: Document | None
) -> frozenset[str] | None:
    """Return the declared dependencies and theirs, or None if those of one are not known."""
    locked = _locked(lock)
    waiting = [*_required(declared, frozenset())]
    found = set[tuple[str, frozenset[str]]]()
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in found:
            continue
        found.add((name, extras))
        if name in locked:
            waiting += ((one, frozenset()) for one in locked[name])
        elif name in installed.packages:
            waiting += _required(installed.packages[name].requires, extras)
        else:
            return None
    return frozenset(name for name, _ in found)


def _required(requirements: object, extras: frozenset[str]) -> Iterator[_Needed]:
    """Yield the packages that are required here, if a package is installed with some extras."""
    for one in requirements if isinstance(requirements, list) else ():
        with suppress(InvalidRequirement):
            found = Requirement(str(one))
            marker = found.marker
            if not marker or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
                yield canonicalize_name(found.name), frozenset(found.extras)


def _all(package: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield what a package in uv.lock depends on, with each extra that it has."""
    optional = package.get("optional-dependencies")
    groups = [
        package.get("dependencies"),
        *(optional.values() if isinstance(optional, dict) else ()),
    ]
    for group in groups:
        yield from (
            one for one in (group if isinstance(group, list) else ()) if isinstance(one, dict)
        )


def _locked(lock: Document | None) -> Mapping[str, list[str]]:
    """Return the dependencies of the packages in uv.lock."""
    try:
        packages = tomllib.loads(lock.text).get("package") if lock else None
    except tomllib.TOMLDecodeError:
        return {}
    return {
        one["name"]: [needed["name"] for needed in _all(one) if isinstance(needed.get("name"), str)]
        for one in packages or ()
        if isinstance(one, dict) and isinstance(one.get("name"), str)
    }
