"""Check offline for errors that registries would report, and for files that must stay private."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.base.diagnostics import Diagnostic, ScaffoldError, Severity, in_order
from scaffold.base.diagnostics.wording import quote
from scaffold.format.publish import Package
from scaffold.publish import bundle, documents, ownership, secrets
from scaffold.publish.subject import DOCKERFILE, ENTRY, MANIFEST, README, WORKFLOW, Subject

_OF_BUNDLES = ("bundle-file", "bundle-secret", "publish-stale", "publish-version")


def findings(subject: Subject) -> tuple[Diagnostic, ...]:
    """Return everything that keeps a project from being published, sorted by place."""
    parts = (
        _missing,
        documents.faults,
        ownership.faults,
        _versions,
        _tags,
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
    parents = subject.root.absolute().parents
    if not (subject.root / ".git").exists() and any(
        (parent / ".git").exists() for parent in parents
    ):
        message = "the project is not the root of its repository, and GitHub runs no workflow in it"
        hint = f"move {WORKFLOW} to the root, with `working-directory` for its steps"
        yield Diagnostic("publish-file", message, subject.place(ENTRY), hint, Severity.WARNING)


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


def _tags(subject: Subject) -> Iterator[Diagnostic]:
    """Yield errors for other tags on the commit, and for this version's tag on another commit."""
    git, tag = subject.repository, f"v{subject.version}"
    place = subject.source.place("/version")
    others = (
        sorted(
            version_tag for version_tag in git.tags if version_tag[:1] == "v" and version_tag != tag
        )
        if git
        else []
    )
    if others:
        tags = ", ".join(map(quote, others))
        message = f"the commit is tagged {tags}, but the version is {quote(subject.version)}"
        hint = f"tag it {quote(tag)} alone, or change the version in the spec"
        yield Diagnostic("publish-tag", message, place, hint, pointer="/version")
    if git and tag in git.others:
        message = f"the tag {quote(tag)} is that of another commit: this version is published"
        hint = "raise the version in the spec, and run `mcp-scaffold regenerate`"
        yield Diagnostic("publish-tag", message, place, hint, pointer="/version")
