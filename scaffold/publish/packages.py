"""Check the packages in server.json: each type has rules of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold.diagnostics.wording import quote
from scaffold.project.publishing import release_url
from scaffold.publish import transports
from scaffold.publish.spots import Spot
from scaffold.publish.subject import Subject
from scaffold.spec.lint.server import SECRET_NAME
from scaffold.spec.publish import Package
from scaffold.yaml.document import Document
from scaffold.yaml.edits import added, overwritten, replaced
from scaffold.yaml.finding import Finding

_RELEASE = re.compile(
    r"https://(www\.)?(github\.com/[A-Za-z0-9-]+/[\w.-]+/releases/download/[^/]+/[^/]+"
    r"|gitlab\.com/[\w.-]+(/[\w.-]+)*/-/(releases/[^/]+/downloads/[^/]+|package_files/\d+/download))"
)
_IMAGE = re.compile(r"([^@\s/]+/)*[^@\s/:]+(:(?P<tag>[\w.-]+))?(@(?P<digest>sha256:[0-9a-f]{64}))?")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_NORMAL = re.compile(r"[-_.]+")


def faults(package: Spot, subject: Subject, document: Document) -> Iterator[Finding]:
    """Yield what the registry would refuse about a package."""
    kind, identifier = package.text("registryType"), package.text("identifier") or ""
    at = f"{package.at}/identifier"
    match kind:
        case Package.PYPI:
            yield from _distribution(package, identifier, subject, document)
            yield from _forbidden(package, "a Python package", "fileSha256")
            if package.text("registryBaseUrl") not in (None, "https://pypi.org"):
                message = "the registry reads Python packages from https://pypi.org only"
                where = f"{package.at}/registryBaseUrl"
                yield Finding(where, "publish-package", message, "remove the key")
        case Package.OCI:
            yield from _forbidden(package, "an image", "version", "registryBaseUrl", "fileSha256")
            image = _IMAGE.fullmatch(identifier)
            if not image or not (image["tag"] or image["digest"]) or image["tag"] == "latest":
                message = f"the image {quote(identifier)} has no tag of a version"
                hint = f"write the version behind it: `NAME:{subject.version}`"
                yield Finding(at, "publish-package", message, hint)
            elif (named := image_name(identifier)) != (wanted := subject.publish.image):
                message = f"the image is {quote(named)} here, but {quote(wanted or '')} in the spec"
                hint = f"write `{wanted}:{subject.version}`"
                yield Finding(at, "publish-package", message, hint)
        case Package.MCPB:
            yield from _forbidden(package, "a bundle", "version", "registryBaseUrl")
            if not _RELEASE.fullmatch(identifier) or "mcp" not in identifier.lower():
                message = f"{quote(identifier)} is not a file of a release on GitHub or GitLab"
                repository = (
                    subject.publish.repository_of(subject.spec.name)
                    or "https://github.com/OWNER/NAME"
                )
                url = release_url(repository, subject.version, subject.bundle.name)
                fix = replaced(document, at, url)
                yield Finding(at, "publish-package", message, f"write `{url}`", fix=fix)
            elif (
                home := subject.publish.repository_of(subject.spec.name)
            ) and not identifier.lower().startswith(f"{home}/".lower()):
                message = f"{quote(identifier)} is not in the repository of the server"
                url = release_url(home, subject.version, subject.bundle.name)
                fix = replaced(document, at, url)
                yield Finding(at, "publish-package", message, f"write `{url}`", fix=fix)
    yield from transports.of_package(package)
    for key in ("runtimeArguments", "packageArguments"):
        for argument in package.items(key):
            yield from _argument(argument)
    if package.value.get("runtimeArguments") and not package.text("runtimeHint"):
        message = "arguments of a program that is not named"
        hint = "add `runtimeHint`, such as `uvx` or `docker`"
        yield Finding(
            f"{package.at}/runtimeArguments", "publish-argument", message, hint, at_key=True
        )
    yield from _secrets(package, subject, document)


def image_name(identifier: str) -> str:
    """Return the name of an image without its digest and tag."""
    name = identifier.partition("@")[0]
    folder, slash, last = name.rpartition("/")
    return folder + slash + last.partition(":")[0]


def _distribution(
    package: Spot, identifier: str, subject: Subject, document: Document
) -> Iterator[Finding]:
    if "version" not in package.value:
        message = "the package has no version"
        hint = f'add `"version": "{subject.version}"`'
        yield Finding(package.at, "publish-package", message, hint)
    name = subject.project.table("project").get("name") if subject.project else None
    if isinstance(name, str) and _normal(name) != _normal(identifier):
        message = (
            f"the package is called {quote(identifier)}, but pyproject.toml builds {quote(name)}"
        )
        at = f"{package.at}/identifier"
        fix = replaced(document, at, name)
        yield Finding(at, "publish-package", message, f"write `{name}`", fix=fix)


def _normal(name: str) -> str:
    """Return a name of a distribution as indexes compare them (PEP 503)."""
    return _NORMAL.sub("-", name).lower()


def _forbidden(package: Spot, what: str, *keys: str) -> Iterator[Finding]:
    for key in keys:
        if key in package.value:
            message = f"{what} cannot have `{key}`; the registry refuses it"
            hint = "remove the key: the identifier says it all"
            yield Finding(f"{package.at}/{key}", "publish-package", message, hint, at_key=True)


def _argument(argument: Spot) -> Iterator[Finding]:
    name = argument.text("name")
    if argument.value.get("type") == "named" and not name:
        message = "a named argument needs a `name`"
        yield Finding(argument.at, "publish-argument", message, "add the option: `--port`")
    if argument.value.get("type") == "positional" and not (
        argument.value.keys() & {"value", "valueHint"}
    ):
        message = "a positional argument needs a `value` or a `valueHint`"
        yield Finding(argument.at, "publish-argument", message, "add one of them")
    for key in ("value", "default"):
        value = argument.text(key)
        if name and value and value.startswith(name):
            message = f"`{key}` begins with the name of the argument, which clients add themselves"
            hint = f"remove {quote(name)} from it"
            yield Finding(f"{argument.at}/{key}", "publish-argument", message, hint)


def _secrets(package: Spot, subject: Subject, document: Document) -> Iterator[Finding]:
    secret = {variable.name for variable in subject.spec.env if variable.secret}
    known = {variable.name for variable in subject.spec.env}
    required = {variable.name for variable in subject.spec.env if variable.required}
    listed = [*package.items("environmentVariables")]
    for one in listed:
        name = one.text("name")
        if name in secret and one.value.get("isSecret") is not True:
            message = f"{quote(name or '')} is a secret, but clients are not told"
            at = f"{one.at}/isSecret"
            is_there = "isSecret" in one.value
            fix = overwritten(document, at, "true") or added(document, at, "true")
            here = at if is_there else f"{one.at}/name"
            yield Finding(here, "publish-secret", message, 'write `"isSecret": true`', fix=fix)
        elif name and SECRET_NAME.search(name) and "isSecret" not in one.value:
            message = f"{quote(name)} seems to be a secret, but clients are not told"
            fix = added(document, f"{one.at}/isSecret", "true")
            hint = 'write `"isSecret": true`, or `false` if it is none'
            yield Finding(f"{one.at}/name", "publish-secret", message, hint, fix=fix)
        if name in required and one.value.get("isRequired") is not True:
            message = f"the server does not start without {quote(name or '')}, but clients may"
            hint = 'write `"isRequired": true`'
            yield Finding(f"{one.at}/name", "publish-variable", message, hint)
        default = one.text("default")
        if one.text("format") == "number" and default and not _NUMBER.fullmatch(default):
            message, at = f"{quote(default)} is no number", f"{one.at}/default"
            yield Finding(at, "publish-variable", message, "write a number as a text")
        for key in ("value", "default") if name in secret else ():
            if key in one.value:
                message = f"the value of the secret {quote(name or '')} would be public"
                at = f"{one.at}/{key}"
                yield Finding(at, "publish-secret", message, "remove it", at_key=True)
        if name and name not in known:
            message = f"the server does not read a variable {quote(name)}"
            hint = "declare it under `env` in the spec, or remove it"
            yield Finding(f"{one.at}/name", "publish-variable", message, hint)
    names = {one.text("name") for one in listed}
    for variable in subject.spec.env if package.value.get("registryType") != Package.MCPB else ():
        if variable.required and variable.name not in names:
            message = (
                f"the server does not start without {quote(variable.name)}, which is not listed"
            )
            hint = "run `mcp-scaffold regenerate`, or add it to `environmentVariables`"
            yield Finding(package.at, "publish-variable", message, hint)
