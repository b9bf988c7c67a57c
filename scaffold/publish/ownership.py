"""Check that every part of a server names it as server.json does: the registry's proof of ownership."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold.base.diagnostics import Diagnostic
from scaffold.base.diagnostics.wording import quote
from scaffold.format.publish import Package
from scaffold.publish.subject import DOCKERFILE, README, Subject

LABEL = "io.modelcontextprotocol.server.name"
_MARKER = re.compile(
    r"mcp-name[ \t]*:[ \t]*(?P<name>[A-Za-z0-9._/-]*[A-Za-z0-9._/])", re.IGNORECASE
)


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield names that differ, and proofs of ownership that the registry would not find."""
    if subject.has(Package.PYPI):
        yield from _readme(subject)
    if subject.has(Package.OCI):
        yield from _label(subject)
    yield from _namespace(subject)


def _readme(subject: Subject) -> Iterator[Diagnostic]:
    """Yield errors that hide the marker from the package's description on PyPI."""
    if (subject.text(subject.readme) if subject.readme else None) is None:
        message = "without `readme`, the package has no description, and the registry finds no name"
        hint = f'write `readme = "{README}"` under `[project]`'
        yield Diagnostic("publish-marker", message, subject.place(subject.project_file), hint)
        return
    text = subject.text(subject.readme) or ""
    marker = f"mcp-name: {subject.name}"
    if re.search(rf"{re.escape(marker)}(?=\s|<|-->|\Z)", text):
        return
    message, line = "the description of the package does not have the name of the server", 1
    if match := _MARKER.search(text):
        line = text.count("\n", 0, match.start()) + 1
        message = _different(match["name"], subject.name)
    hint = f"write `<!-- {marker} -->`, with the spaces"
    yield Diagnostic("publish-marker", message, subject.place(subject.readme, line), hint)


def _label(subject: Subject) -> Iterator[Diagnostic]:
    """Yield an error for an image without the label; the registry itself reads the built image."""
    text = subject.text(DOCKERFILE)
    if text is not None and not re.search(
        rf"{re.escape(LABEL)}[\"']?[= ][\"']?{re.escape(subject.name)}(?![\w.-])", text
    ):
        message = f"the image has no label `{LABEL}` with the name of the server"
        hint = f'write `LABEL {LABEL}="{subject.name}"`'
        yield Diagnostic("publish-label", message, subject.place(DOCKERFILE), hint)


def _different(actual: str, wanted: str) -> str:
    if actual == wanted:
        return "the registry does not find the name of the server, as it is written here"
    if actual.lower() == wanted.lower():
        return f"the name {quote(actual)} differs from {quote(wanted)} in its capitals"
    return f"the name is {quote(actual)} here, but {quote(wanted)} in the spec"


def _namespace(subject: Subject) -> Iterator[Diagnostic]:
    """Yield errors for a namespace whose ownership nobody can prove."""
    namespace, place = subject.publish.namespace, subject.source.place("/publish/namespace")
    parts = namespace.split(".")
    host = ".".join(parts[:2]).lower()
    if host == "io.github" and (len(parts) != 3 or not namespace.startswith("io.github.")):
        message = f"{quote(namespace)} is no namespace of an owner on GitHub"
        hint = "write `io.github.OWNER`, with nothing behind the owner"
    elif host == "io.gitlab":
        message = "the registry has no namespaces of owners on GitLab"
        hint = "write a domain of yours in reverse, such as `com.example`"
    else:
        return
    yield Diagnostic("publish-owner", message, place, hint, pointer="/publish/namespace")
