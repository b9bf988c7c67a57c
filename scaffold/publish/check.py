"""Check offline for errors that registries would report, and for files that must stay private."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft7Validator
from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, ScaffoldError, Severity, in_order
from scaffold.base.diagnostics.wording import did_you_mean, quote
from scaffold.format.publish import Package
from scaffold.publish import bundle, secrets
from scaffold.publish.subject import DOCKERFILE, ENTRY, MANIFEST, README, Subject
from scaffold.schema.mismatch import mismatches
from scaffold.yaml.document import Document, pointer
from scaffold.yaml.finding import Finding
from scaffold.yaml.source import parse

OF_BUNDLES = ("bundle-file", "bundle-secret", "publish-stale", "publish-version")
"""The ids of findings about the bundle, or about the version that it has."""

_SCHEMAS = {ENTRY: "server-2025-12-11", MANIFEST: "manifest-0.4"}

LABEL = "io.modelcontextprotocol.server.name"
_MARKER = re.compile(
    r"mcp-name[ \t]*:[ \t]*(?P<name>[A-Za-z0-9._/-]*[A-Za-z0-9._/])", re.IGNORECASE
)


def findings(subject: Subject) -> tuple[Diagnostic, ...]:
    """Return everything that keeps a project from being published, sorted by place."""
    parts = (
        _missing,
        _documents,
        _readme,
        _label,
        _namespace,
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


def _documents(subject: Subject) -> Iterator[Diagnostic]:
    """Yield errors that the registry and the hosts of bundles would report, and outdated files.

    The places are in what the spec generates, as it will be in the files.
    """
    for path, text in subject.generated.items():
        held = subject.text(path)
        if held is not None and held != text:
            key = path.removesuffix(".json")
            message = f"{path} is not what the spec generates"
            hint = f"write what differs in the spec, under `publish: {{{key}: …}}`, and run `mcp-scaffold regenerate`"
            yield Diagnostic("publish-stale", message, subject.place(path), hint)
        document = replace(parse(text, str(subject.root / path)), noun="the file")
        file = Path(__file__).parent / "schemas" / f"{_SCHEMAS[path]}.json"
        schema = json.loads(file.read_text("utf-8"))
        engine = Draft7Validator(schema, offline=True)
        faults = mismatches(engine, schema, document.value, "", document)
        for finding in (*faults, *_unknown_keys(schema, document)):
            yield finding.diagnostic(document, Severity.ERROR)


def _unknown_keys(schema: dict[str, Any], document: Document) -> Iterator[Finding]:
    """Yield errors for unknown keys, which the schemas allow and the registry refuses."""
    part = schema
    while "$ref" in part:
        part = schema["definitions"][part["$ref"].rpartition("/")[2]]
    known = part["properties"]
    assert isinstance(document.value, dict)
    for key in document.value:
        if key not in known:
            message = f"unknown key {quote(key)}"
            hint = did_you_mean(key, known, "remove it from `publish` in the spec")
            yield Finding(pointer(key), "unknown-key", message, hint, at_key=True)


def _readme(subject: Subject) -> Iterator[Diagnostic]:
    """Yield errors that hide the marker from the package's description on PyPI."""
    if not subject.has(Package.PYPI):
        return
    text = subject.text(subject.readme) if subject.readme else None
    if text is None:
        message = "without `readme`, the package has no description, and the registry finds no name"
        hint = f'write `readme = "{README}"` under `[project]`'
        yield Diagnostic("publish-marker", message, subject.place(subject.project_file), hint)
        return
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
    text = subject.text(DOCKERFILE) if subject.has(Package.OCI) else None
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
