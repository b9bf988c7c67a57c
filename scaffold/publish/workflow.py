"""Check the workflows that publish: first the check, then the packages, and the registry last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from scaffold.diagnostics import Diagnostic
from scaffold.publish import injection, logins
from scaffold.publish.jobs import Action, actions, triggers
from scaffold.publish.subject import WORKFLOW, WORKFLOWS, Subject
from scaffold.publish.tools import (
    CHECKING,
    NPM,
    PUBLISHING,
    builds,
    checks,
    is_opaque,
    registers,
    uploaded,
)
from scaffold.spec.publish import Package
from scaffold.yaml.document import Document

_HOW = {
    Package.PYPI: ("the Python package", "uv publish"),
    Package.OCI: ("the image", "docker push"),
    Package.MCPB: ("the bundle", "gh release create"),
}


class _Workflow(Struct, frozen=True):
    """What a workflow does for publishing. All of `public` cannot be changed any more."""

    document: Document
    every: Sequence[Action]
    uploads: Sequence[Action]
    last: Action | None

    @property
    def public(self) -> Sequence[Action]:
        return (*self.uploads, *([self.last] if self.last else ()))


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield what is wrong with the workflows that publish."""
    found = [*_workflows(subject)]
    for one in found:
        if one.public:
            yield from _order(one)
            yield from _checked(one)
            yield from logins.faults(subject, one.every, one.public)
            yield from injection.faults(one.every)
        if one.last:
            yield from _uploads(one, one.last, found, subject)
        elif one.document.name.endswith(WORKFLOW) and not any(
            is_opaque(action, PUBLISHING) for action in one.every
        ):
            message = "the workflow does not publish the server in the registry"
            hint = "run `mcp-publisher login github-oidc` and `mcp-publisher publish` at its end"
            yield Diagnostic("publish-step", message, one.document.place("/jobs"), hint)


def _workflows(subject: Subject) -> Iterator[_Workflow]:
    documents = {p: d for p, d in subject.documents.items() if p.startswith(WORKFLOWS)}
    found = [(document, actions(document, documents)) for document in documents.values()]
    called = {
        one.document.name
        for document, every in found
        for one in every
        if one.document is not document
    }
    for document, every in found:
        if document.name in called and triggers(document) == {"workflow_call"}:
            continue  # a part of those that call it
        running = [action for action in every if action.runs]
        last = next(filter(registers, running), None)
        kinds = {*_HOW, NPM} if last else {*subject.publish.packages}
        uploads = [one for one in running if uploaded(one) in kinds]
        yield _Workflow(document, every, uploads, last)


def _fault(action: Action, id: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(id, message, action.place, hint, pointer=action.at)


def _order(workflow: _Workflow) -> Iterator[Diagnostic]:
    """Yield what comes too late: packages after the registry, and builds after packages."""
    last, uploads = workflow.last, workflow.uploads
    if last is None:
        return
    for upload in uploads:
        if not upload.is_before(last):
            message = "this is published after the registry has looked for it"
            yield _fault(upload, "publish-order", message, "move it above `mcp-publisher publish`")
    for build in filter(builds, workflow.every):
        if uploads and build.runs and not build.is_before(uploads[0]):
            message = "if this fails, a part of the version is already public"
            hint = "build everything in steps above the first that publishes"
            yield _fault(build, "publish-order", message, hint)


def _checked(workflow: _Workflow) -> Iterator[Diagnostic]:
    """Yield what is published although nothing is checked before, or the check has failed."""
    found = [*filter(checks, workflow.every)]
    for check in found:
        if not check.runs:
            message, hint = "the check never runs", "remove the `if` of the step or the job"
            yield _fault(check, "publish-order", message, hint)
        elif not check.is_decisive:
            message = "what follows is published although this check fails"
            hint = "remove `continue-on-error`, `|| true` and the like, so that its failure ends the job"
            yield _fault(check, "publish-order", message, hint)
    for action in workflow.public:
        before = [one for one in workflow.every if one.is_before(action)]
        if not any(map(checks, before)) and not any(is_opaque(one, CHECKING) for one in before):
            message = "nothing checks what is published before it cannot be changed any more"
            hint = "run `mcp-scaffold publish --check` in a step above"
            yield _fault(action, "publish-order", message, hint)
            return
    for action in workflow.public:
        if not action.is_stopped:
            message = "this is published although the check has failed"
            hint = "remove `always()`, `failure()` or `cancelled()` from its `if`"
            yield _fault(action, "publish-order", message, hint)


def _uploads(
    workflow: _Workflow, last: Action, workflows: Sequence[_Workflow], subject: Subject
) -> Iterator[Diagnostic]:
    """Yield packages that the registry looks for, and that no workflow publishes."""
    kinds = {uploaded(upload) for one in workflows for upload in one.uploads}
    if any(is_opaque(one, PUBLISHING) for one in workflow.every):
        return
    for kind in subject.publish.packages:
        if kind not in kinds:
            what, command = _HOW[kind]
            message = f"nothing publishes {what}, which the registry looks for"
            hint = f"run `{command}` in a step above"
            yield _fault(last, "publish-step", message, hint)
