"""What the commands and actions of a workflow do for publishing, by the tools that are used."""

from __future__ import annotations

import re
from functools import cache

from scaffold.publish.jobs import Action
from scaffold.spec.publish import Package

NPM = "npm"

_UPLOADS = {
    "uv publish": Package.PYPI,
    "twine upload": Package.PYPI,
    "poetry publish": Package.PYPI,
    "hatch publish": Package.PYPI,
    "flit publish": Package.PYPI,
    "pdm publish": Package.PYPI,
    "docker push": Package.OCI,
    "docker image push": Package.OCI,
    "docker compose push": Package.OCI,
    "podman push": Package.OCI,
    "buildah push": Package.OCI,
    "gh release create": Package.MCPB,
    "gh release upload": Package.MCPB,
    "npm publish": NPM,
}
_USED = {
    "pypa/gh-action-pypi-publish": Package.PYPI,
    "softprops/action-gh-release": Package.MCPB,
    "ncipollo/release-action": Package.MCPB,
}
_BUILDS = (
    "uv build",
    "python build",
    "python3 build",
    "poetry build",
    "hatch build",
    "flit build",
    "pdm build",
)
_IMAGES = ("docker build", "docker buildx build", "podman build", "buildah build")
_BUILD_ACTION = "docker/build-push-action"
_INSTALLS = re.compile(r"(?<!\S)(install|add)(?!\S)")
_SAID = ("echo", "printf", "cat", "true", ":")
_FOR_TESTS = re.compile(r"--dry-run\b|test[-_.]?pypi", re.IGNORECASE)
_RUNNERS = re.compile(r"make|just|task|tox|nox|invoke|rake|npm|pnpm|yarn|(ba|z|da)?sh")
_SCRIPT = re.compile(r"[^-].*\.(py|sh|[mc]?[jt]s)")
CHECKING = re.compile(r"check|verify|publish", re.IGNORECASE)
PUBLISHING = re.compile(r"publish|release|upload|push|deploy", re.IGNORECASE)


def uploaded(action: Action) -> str | None:
    """Return the kind of package that an action makes public, if it does."""
    if _FOR_TESTS.search(f"{action.text} {action.inputs}"):
        return None
    name = action.uses.partition("@")[0]
    if name == _BUILD_ACTION and str(action.inputs.get("push")).lower() not in ("none", "false"):
        return Package.OCI
    if "--push" in action.command.words and _runs(action, *_IMAGES):
        return Package.OCI
    return _USED.get(name) or next((k for c, k in _UPLOADS.items() if _runs(action, c)), None)


def builds(action: Action) -> bool:
    """Return whether an action builds a package, and does not publish it."""
    name = action.uses.partition("@")[0]
    return not uploaded(action) and (name == _BUILD_ACTION or _runs(action, *_BUILDS, *_IMAGES))


def checks(action: Action) -> bool:
    """Return whether an action runs `mcp-scaffold publish --check`."""
    words = action.command.words
    return _runs(action, "publish") and "--check" in words and not registers(action)


def registers(action: Action) -> bool:
    """Return whether an action publishes the server in the registry."""
    return _runs(action, "mcp-publisher publish") and not _FOR_TESTS.search(action.text)


def logs_in(action: Action) -> str | None:
    """Return the method with which an action logs in to the registry."""
    words = action.command.words
    if not _runs(action, "mcp-publisher login"):
        return None
    return next((word for word in words[words.index("login") + 1 :] if word[0] != "-"), "")


def is_opaque(action: Action, purpose: re.Pattern[str]) -> bool:
    """Return whether an action may do something, going by its name, that cannot be read here."""
    words = action.command.words
    is_script = any(map(_RUNNERS.fullmatch, words[:1])) or any(map(_SCRIPT.fullmatch, words))
    is_other = bool(action.uses) and not action.uses.startswith("actions/")
    known = uploaded(action) or checks(action) or builds(action) or logs_in(action)
    return not known and (is_script or is_other) and bool(purpose.search(action.text))


def _runs(action: Action, *commands: str) -> bool:
    """Return whether an action runs one of some commands, directly or with another program."""
    words = [word.rpartition("/")[2].replace(" ", "_") for word in action.command.words]
    if not words or words[0] in _SAID:
        return False
    found = (_pattern(command).search(" ".join(words)) for command in commands)
    return any(one and not _INSTALLS.search(one.string, 0, one.start()) for one in found)


@cache
def _pattern(command: str) -> re.Pattern[str]:
    """Return the pattern of a command, between whose words there may be options with values."""
    options = r"(?: -\S+(?: [^-\s]\S*)?)* "
    return re.compile(rf"(?<!\S){options.join(map(re.escape, command.split()))}(?!\S)")
