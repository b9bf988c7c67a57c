"""Check offline what registries would refuse, and what users' machines would stumble over."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Severity, in_order
from scaffold.publish import (
    contents,
    entry,
    image,
    locked,
    manifest,
    ownership,
    project,
    versions,
    workflow,
)
from scaffold.publish.subject import (
    DOCKERFILE,
    ENTRY,
    MANIFEST,
    PROJECT,
    README,
    WORKFLOW,
    Subject,
)
from scaffold.spec.publish import Package

_KINDS = (entry, manifest, ownership, versions, project, locked, contents, image, workflow)
_OF_BUNDLES = ("bundle-file", "bundle-secret", "publish-name", "publish-version")


def findings(found: Subject) -> tuple[Diagnostic, ...]:
    """Return everything that keeps a project from being published, sorted by place."""
    parts = (kind.faults(found) for kind in _KINDS)
    return in_order(chain(found.broken, _missing(found), *parts))


def keeps_from_bundling(one: Diagnostic) -> bool:
    """Return whether a finding is about the bundle, or about the name or version that it has."""
    is_about = one.place is not None and Path(one.place.path).name == MANIFEST
    return is_about or one.id in _OF_BUNDLES


def wanted(found: Subject) -> tuple[str, ...]:
    """Return the paths of the files that a project needs to be published as its spec says."""
    paths = [ENTRY, README, PROJECT]
    paths += [MANIFEST] if found.has(Package.MCPB) else []
    paths += [DOCKERFILE] if found.has(Package.OCI) else []
    return tuple(paths)


def _missing(found: Subject) -> Iterator[Diagnostic]:
    for path in wanted(found):
        if not (found.root / path).is_file():
            hint = "run `mcp-scaffold publish --metadata`"
            yield Diagnostic("publish-file", f"there is no {path}", found.place(path), hint)
    parents = found.root.absolute().parents
    if not (found.root / ".git").exists() and any((one / ".git").exists() for one in parents):
        message = "the project is not the root of its repository, and GitHub runs no workflow in it"
        hint = f"move {WORKFLOW} to the root, with `working-directory` for its steps"
        yield Diagnostic("publish-file", message, found.place(ENTRY), hint, Severity.WARNING)
