"""Check the workflow that publishes: first the check, then the packages, and the registry last."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from scaffold.diagnostics import Diagnostic, Severity
from scaffold.publish.subject import WORKFLOWS, Subject
from scaffold.yaml.document import Document, pointer
from scaffold.yaml.finding import Finding

_REGISTRY = re.compile(r"mcp-publisher\s+publish\b(?!.*--dry-run)")
_LOGIN = re.compile(r"mcp-publisher\s+login\s+github-oidc")
_CHECK = re.compile(r"\bpublish\b[^\n]*--check")
_BUILD = re.compile(
    r"\b(uv build|python3? -m build|(poetry|hatch|flit|pdm) build|docker (buildx )?build)\b"
)
_UPLOAD = re.compile(
    r"\b(uv publish|twine upload|poetry publish|hatch publish|flit publish|pdm publish|npm publish"
    r"|docker push|docker buildx build .*--push|gh release (create|upload))\b|gh-action-pypi-publish"
)


class _Step(Struct, frozen=True):
    """A step: its job, its pointer, and what it runs or uses."""

    job: str
    at: str
    text: str


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield what is wrong with the workflows that publish to the registry."""
    for path, document in subject.documents.items():
        if path.startswith(WORKFLOWS):
            for finding in _findings(document):
                yield finding.diagnostic(document, Severity.ERROR)


def _findings(document: Document) -> Iterator[Finding]:
    value = document.value if isinstance(document.value, dict) else {}
    jobs: Any = value.get("jobs")
    jobs = jobs if isinstance(jobs, dict) else {}
    steps = [*_steps(jobs)]
    last = next((one for one in steps if _REGISTRY.search(one.text)), None)
    if last is None:
        return
    uploads = [one for one in steps if _UPLOAD.search(one.text)]
    order = {one.at: number for number, one in enumerate(steps)}
    first = last
    for upload in uploads:
        if upload.job == last.job and order[upload.at] < order[first.at]:
            first = upload
        if not _is_before(upload, last, order, jobs):
            message = "this is published after the registry has looked for it"
            hint = "move it above `mcp-publisher publish`"
            yield Finding(upload.at, "publish-order", message, hint)
    for build in (one for one in steps if _BUILD.search(one.text)):
        if uploads and not _is_before(build, uploads[0], order, jobs):
            message = "if this fails, a part of the version is already public"
            hint = "build everything in steps above the first that publishes"
            yield Finding(build.at, "publish-order", message, hint)
    checks = [one for one in steps if _CHECK.search(one.text)]
    if not any(_is_before(check, first, order, jobs) for check in checks):
        message = "nothing checks what is published before it cannot be changed any more"
        hint = "run `mcp-scaffold publish --check` in a step above"
        yield Finding(first.at, "publish-order", message, hint)
    login = next((one for one in steps if _LOGIN.search(one.text)), None)
    if login and not _may_log_in(value, jobs.get(login.job)):
        message = "`github-oidc` needs the permission `id-token: write`"
        hint = "add `permissions: {id-token: write, contents: read}`"
        yield Finding(login.at, "publish-permission", message, hint)


def _steps(jobs: Mapping[str, Any]) -> Iterator[_Step]:
    for name, job in jobs.items():
        steps = job.get("steps") if isinstance(job, dict) else None
        for number, step in enumerate(steps if isinstance(steps, list) else ()):
            for key in ("run", "uses"):
                if isinstance(step, dict) and isinstance(text := step.get(key), str):
                    yield _Step(name, pointer("jobs", name, "steps", number, key), text)


def _is_before(one: _Step, other: _Step, order: Mapping[str, int], jobs: Mapping[str, Any]) -> bool:
    """Return whether a step always ends before another begins."""
    if one.job == other.job:
        return order[one.at] < order[other.at] or one.at == other.at
    return one.job in _needed(other.job, jobs, set())


def _needed(job: str, jobs: Mapping[str, Any], seen: set[str]) -> set[str]:
    """Return the jobs that a job waits for, directly or not."""
    found = jobs.get(job)
    needs = found.get("needs") if isinstance(found, dict) else None
    for name in [needs] if isinstance(needs, str) else needs if isinstance(needs, list) else ():
        if isinstance(name, str) and name not in seen:
            seen.add(name)
            _needed(name, jobs, seen)
    return seen


def _may_log_in(workflow: Mapping[str, Any], job: Any) -> bool:
    own = job.get("permissions") if isinstance(job, dict) else None
    granted = own if own is not None else workflow.get("permissions")
    if isinstance(granted, str):
        return granted == "write-all"
    return isinstance(granted, dict) and granted.get("id-token") == "write"
