"""Check that a workflow may publish: that it logs in, and has the permissions to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scaffold.diagnostics import Diagnostic
from scaffold.diagnostics.wording import quote
from scaffold.publish.jobs import Action
from scaffold.publish.subject import Subject
from scaffold.publish.tools import logs_in, registers, uploaded
from scaffold.spec.publish import Package

_CREDENTIAL = re.compile(r"(UV_PUBLISH|TWINE)_\w*(TOKEN|PASSWORD)|(GH|GITHUB)_TOKEN")
_GIVEN = re.compile(r"(--token|--password|-[tp])(=.*)?")
_TRUSTED = ("uv publish", "twine upload", "pypa/gh-action-pypi-publish")
_OWN_TOKEN = re.compile(r"github\.token|secrets\.GITHUB_TOKEN", re.IGNORECASE)
_LOGIN = re.compile(r"login|configure-docker", re.IGNORECASE)
_LATER = "GITHUB_ENV"
"""The file by which a step sets variables for the next ones."""


def faults(
    subject: Subject, every: Sequence[Action], public: Sequence[Action]
) -> Iterator[Diagnostic]:
    """Yield what publishes without a login or a permission."""
    for action in public:
        before = [one for one in every if one.job == action.job and one.is_before(action)]
        if registers(action):
            yield from _registry(action, before, subject)
            continue
        match uploaded(action):
            case Package.PYPI:
                yield from _index(action, before)
            case Package.OCI:
                yield from _image(action, before, subject)
            case Package.MCPB:
                yield from _release(action, before)


def _registry(action: Action, before: Sequence[Action], subject: Subject) -> Iterator[Diagnostic]:
    logins = [one for one in before if logs_in(one) is not None]
    is_github = subject.publish.owner is not None
    wanted = "github-oidc" if is_github else 'dns --domain DOMAIN --private-key "$KEY"'
    hint = f"run `mcp-publisher login {wanted}` in a step above, in the same job"
    if not logins:
        message = "nothing logs in to the registry before this"
        yield Diagnostic("publish-login", message, action.place, hint, pointer=action.at)
        return
    login = logins[-1]
    method = logs_in(login) or ""
    if method and method.startswith("github") != is_github:
        message = (
            f"the method {quote(method)} proves nothing about {quote(subject.publish.namespace)}"
        )
        yield Diagnostic("publish-login", message, login.place, hint, pointer=login.at)
    elif method == "github-oidc" and not login.job.may("id-token"):
        yield _permission(login, "`github-oidc`", "id-token")


def _permission(action: Action, what: str, permission: str) -> Diagnostic:
    message = f"{what} needs the permission `{permission}: write`"
    hint = f"add it to the `permissions` of the job: `{permission}: write`"
    return Diagnostic("publish-permission", message, action.place, hint, pointer=action.at)


def _index(action: Action, before: Sequence[Action]) -> Iterator[Diagnostic]:
    tool = next((one for one in _TRUSTED if one in action.text), None)
    is_given = "password" in action.inputs or any(map(_GIVEN.fullmatch, action.command.words))
    if (
        tool
        and not is_given
        and not _has_credential(action, before)
        and not action.job.may("id-token")
    ):
        yield _permission(action, f"`{tool}` without a token", "id-token")


def _has_credential(action: Action, before: Sequence[Action]) -> bool:
    return any(map(_CREDENTIAL.fullmatch, action.variables)) or any(
        _LATER in one.text for one in before
    )


def _image(action: Action, before: Sequence[Action], subject: Subject) -> Iterator[Diagnostic]:
    logins = [one for one in before if _LOGIN.search(one.text) and logs_in(one) is None]
    if not logins:
        if action.job.is_hosted:
            message = "nothing logs in to the index of the image before this"
            hint = "run `docker login` in a step above, in the same job"
            yield Diagnostic("publish-login", message, action.place, hint, pointer=action.at)
        return
    texts = (f"{one.text} {one.inputs} {one.variables}" for one in logins)
    is_own = any(map(_OWN_TOKEN.search, texts))
    is_there = (subject.publish.image or "").startswith("ghcr.io/")
    if is_own and is_there and not action.job.may("packages"):
        yield _permission(action, "the workflow's own token", "packages")


def _release(action: Action, before: Sequence[Action]) -> Iterator[Diagnostic]:
    if action.command.words and not _has_credential(action, before):
        message = "`gh` has no token"
        hint = 'add `env: {GH_TOKEN: "${{ github.token }}"}` to the step'
        yield Diagnostic("publish-login", message, action.place, hint, pointer=action.at)
        return
    tokens = [str(value) for key, value in (*action.variables.items(), *action.inputs.items()) if "token" in key.lower()]  # fmt: skip
    is_own = not tokens or any(map(_OWN_TOKEN.search, tokens))
    if is_own and not action.job.may("contents"):
        yield _permission(action, "a release", "contents")
