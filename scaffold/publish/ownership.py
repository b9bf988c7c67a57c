"""Check that every part of a server names it as server.json does: the registry's proof of ownership."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold.diagnostics import Diagnostic, Edit, Fix, ScaffoldError, Severity
from scaffold.diagnostics.wording import quote
from scaffold.publish.spots import root_of
from scaffold.publish.subject import ENTRY, README, Subject, document, is_inside
from scaffold.spec.publish import Package
from scaffold.yaml.document import Document
from scaffold.yaml.edits import replaced
from scaffold.yaml.finding import Finding

LABEL = "io.modelcontextprotocol.server.name"
_MARKER = re.compile(
    r"(?P<key>mcp-name)(?P<gap>[ \t]*:[ \t]*)(?P<name>[A-Za-z0-9._/-]*)(?P<after>\S?)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^# [^\n]*$|^[^\n]+\n=+$", re.MULTILINE)


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield names that differ, and proofs of ownership that the registry would not find."""
    entry = subject.documents.get(ENTRY)
    found = root_of(entry).text("name") if entry else None
    if entry and found is not None and found != subject.name:
        yield Finding(
            "/name",
            "publish-name",
            _different(found, subject.name),
            f"write `{subject.name}`, or change `publish.namespace` in the spec",
            fix=replaced(entry, "/name", subject.name),
        ).diagnostic(entry, Severity.ERROR)
    if package := subject.documents.get("package.json"):
        found = root_of(package).text("mcpName")
        if found is not None and found != subject.name:
            yield Finding(
                "/mcpName",
                "publish-name",
                _different(found, subject.name),
                f"write `{subject.name}`",
                fix=replaced(package, "/mcpName", subject.name),
            ).diagnostic(package, Severity.ERROR)
    if subject.has(Package.PYPI):
        yield from _readme(subject)
    if subject.has(Package.OCI):
        yield from _label(subject)
    yield from _namespace(subject)
    yield from _owner(subject)


def _different(found: str, wanted: str) -> str:
    if found.lower() == wanted.lower():
        return f"the name {quote(found)} differs from {quote(wanted)} in its capitals"
    return f"the name is {quote(found)} here, but {quote(wanted)} in the spec"


def _readme(subject: Subject) -> Iterator[Diagnostic]:
    """Yield what keeps the marker from the description of the Python package."""
    project = subject.project
    if project is None:
        return
    table = project.table("project")
    readme = table.get("readme")
    where = project.place("project", "readme")
    line = f'readme = "{README}"'
    if readme is None:
        listed = table.get("dynamic")
        if isinstance(listed, list) and "readme" in listed:
            message = (
                "`readme` is dynamic, so that nobody knows what the package describes itself with"
            )
            where = project.place("project", "dynamic")
            yield Diagnostic("publish-readme", message, where, f"write `{line}` instead")
            return
        message = "without `readme`, the package has no description, and the registry finds no name"
        fix = project.adding("project", line)
        yield Diagnostic("publish-readme", message, where, f"add `{line}`", fix=fix)
        return
    path = readme.get("file") if isinstance(readme, dict) else readme
    if isinstance(readme, dict) and isinstance(text := readme.get("text"), str):
        if not _is_marked(text, subject.name):
            message = "the description of the package does not have the name of the server"
            yield Diagnostic("publish-readme", message, where, f"write `{line}` instead")
        return
    is_there = isinstance(path, str) and is_inside(path) and (subject.root / path).is_file()
    if not isinstance(path, str) or not is_there:
        fix = project.replacing("project", "readme", f'"{README}"')
        message = f"there is no file {quote(str(path))} for the description of the package"
        yield Diagnostic("publish-readme", message, where, f"write `{line}`", fix=fix)
        return
    try:
        text_file = subject.documents.get(path) or document(subject.root, path)
    except ScaffoldError as error:
        yield from error.diagnostics
        return
    yield from _marker(text_file, subject.name)


def _is_marked(text: str, name: str) -> bool:
    return any(_is_right(found, name) for found in _MARKER.finditer(text))


def _is_right(found: re.Match[str], name: str) -> bool:
    is_spelt = found["key"] == "mcp-name" and found["gap"] == ": "
    return is_spelt and found["name"] == name and found["after"] in ("", "<")


def _marker(readme: Document, name: str) -> Iterator[Diagnostic]:
    found = [*_MARKER.finditer(readme.text)]
    marker = f"<!-- mcp-name: {name} -->"
    if any(_is_right(one, name) for one in found):
        return
    if not found:
        heading = _HEADING.search(readme.text)
        at = heading.end() if heading else 0
        text = f"\n\n{marker}" if heading else f"{marker}\n\n"
        fix = Fix((Edit(at, at, text),), "")
        place = readme.at(*(heading.span() if heading else (0, 0)))
        message = "the description of the package does not have the name of the server"
        yield Diagnostic("publish-marker", message, place, f"add `{marker}`", fix=fix)
        return
    [one, *_] = found
    place = readme.at(one.start(), one.end())
    hint = f"write `{marker}`, with the spaces"
    wanted = f"mcp-name: {name}"
    if one["name"].rstrip("-").lower() == name.lower() != one["name"]:
        message = _different(one["name"].rstrip("-"), name)
        id = "publish-marker" if one["name"].rstrip("-") == name else "publish-name"
        if id == "publish-marker":
            message = "the name of the server runs into the text behind it"
        wanted += " --" if one["name"].endswith("--") else ""
    elif one["name"] == name and one["after"]:
        id, message = "publish-marker", "the name of the server runs into the text behind it"
        wanted += " " + one["after"]
    elif one["name"] == name:
        id, message = "publish-marker", f"the registry looks for {quote('mcp-name: ')}, written so"
    elif one["name"].startswith(name):
        id, message = "publish-marker", "the name of the server runs into the text behind it"
        wanted += f" {one['name'][len(name) :]}{one['after']}"
    else:
        id, message = "publish-name", _different(one["name"], name)
        wanted += f" {one['after']}" if one["after"] else ""
    fix = Fix((Edit(one.start(), one.end(), wanted),), "")
    yield Diagnostic(id, message, place, hint, fix=fix)


def _label(subject: Subject) -> Iterator[Diagnostic]:
    image = subject.image
    if image is None or image.last is None:
        return
    labels = [word for key, word in image.labels if key == LABEL]
    if not labels:
        text = f'\nLABEL {LABEL}="{subject.name}"'
        fix = Fix((Edit(image.last.end, image.last.end, text),), "")
        place = image.document.at(image.last.start, image.last.end)
        message = f"the image has no label `{LABEL}`, by which the registry knows its owner"
        yield Diagnostic("publish-label", message, place, f"add `{text.strip()}`", fix=fix)
        return
    (found, is_fixed), start, end = labels[-1]
    if found is not None and is_fixed and found != subject.name:
        place = image.document.at(start, end)
        fix = Fix((Edit(start, end, f'"{subject.name}"'),), "")
        hint = f'write `LABEL {LABEL}="{subject.name}"`'
        message = _different(found, subject.name)
        yield Diagnostic("publish-name", message, place, hint, fix=fix)


def _namespace(subject: Subject) -> Iterator[Diagnostic]:
    """Yield a namespace that nobody can prove to own."""
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


def _owner(subject: Subject) -> Iterator[Diagnostic]:
    """Yield differences between the namespace, the address of the repository, and the remote."""
    owner, git = subject.publish.owner, subject.repository
    if not git or not git.owner:
        return
    if owner and owner != git.owner:
        place = subject.source.place("/publish/namespace")
        if owner.lower() == git.owner.lower():
            message = f"the owner is {quote(owner)} here, but {quote(git.owner)} in git's `origin`"
            hint = f"names are compared with their capitals: write `io.github.{git.owner}`, if GitHub does"
            yield Diagnostic("publish-owner", message, place, hint, pointer="/publish/namespace")
        else:
            message = f"the repository belongs to {quote(git.owner)}, not to {quote(owner)}"
            hint = "only a workflow in a repository of the owner can publish in its namespace"
            yield Diagnostic("publish-owner", message, place, hint, pointer="/publish/namespace")
    address = subject.publish.repository_of(subject.spec.name)
    actual = f"https://github.com/{git.owner}/{git.name}"
    if (
        address
        and address.lower() != actual.lower()
        and not (owner and owner.lower() != git.owner.lower())
    ):
        at = "/publish/repository" if subject.publish.repository else "/publish/namespace"
        message = f"the repository is {quote(address)} here, but {quote(actual)} in git's `origin`"
        hint = f"write `repository: {actual}` under `publish`"
        yield Diagnostic("publish-address", message, subject.source.place(at), hint, pointer=at)
