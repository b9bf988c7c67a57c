"""Check offline for errors that registries would report, and for files that must stay private."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.base.diagnostics import Diagnostic, ScaffoldError, in_order
from scaffold.base.diagnostics.wording import quote
from scaffold.format.publish import Package
from scaffold.publish import bundle, documents, ownership, secrets
from scaffold.publish.subject import DOCKERFILE, ENTRY, MANIFEST, README, Subject

_OF_BUNDLES = ("bundle-file", "bundle-secret", "publish-stale", "publish-version")


def findings(subject: Subject) -> tuple[Diagnostic, ...]:
    """Return everything that keeps a project from being published, sorted by place."""
    parts = (
        _missing,
        documents.faults,
        ownership.faults,
        _versions,
        bundle.faults,
        secrets.faults,
    )
    diagnostics: list[Diagnostic] = []
    for part in parts:
        try:
            diagnostics += part(subject)
        except ScaffoldError as error:
            diagnostics += (
                diagnostic for diagnostic in error.diagnostics if diagnostic not in diagnostics
            )
    return in_order(diagnostics)


def keeps_from_bundling(finding: Diagnostic) -> bool:
    """Return whether a finding is about the bundle, or about the version that it has."""
    return finding.id in _OF_BUNDLES


def wanted(subject: Subject) -> tuple[str, ...]:
    """Return the paths of the files that a project needs to be published as its spec says."""
    more = {Package.MCPB: MANIFEST, Package.OCI: DOCKERFILE}
    needed = (path for package, path in more.items() if subject.has(package))
    return (ENTRY, README, *filter(None, [subject.project_file]), *needed)


def _missing(subject: Subject) -> Iterator[Diagnostic]:
    for path in wanted(subject):
        if not (subject.root / path).is_file():
            hint = "run `mcp-scaffold publish --metadata`"
            yield Diagnostic("publish-file", f"there is no {path}", subject.place(path), hint)


def _versions(subject: Subject) -> Iterator[Diagnostic]:
    """Yield errors for a version that indexes refuse, and a different one in the project file."""
    version, place = subject.version, subject.source.place("/version")
    if "+" in version and subject.packages - {Package.MCPB}:
        message = f"{quote(version)} is a local version, which indexes refuse"
        hint = "write numbers with dots between them, such as `1.2.0`, or `1.2.0-rc.1`"
        yield Diagnostic("publish-version", message, place, hint, pointer="/version")
    for key, wanted in (("name", subject.command), ("version", version)):
        held = subject.project.get(key)
        if held != wanted and (subject.root / subject.project_file).is_file():
            shown = quote(str(held)) if held is not None else "not there"
            message = f"the {key} of the package is {shown}, but {quote(wanted)} in the spec"
            where, hint = subject.place(subject.project_file), f"set `{key}` to `{wanted}`"
            yield Diagnostic("publish-version", message, where, hint)
