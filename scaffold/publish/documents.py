"""Check that server.json and manifest.json fit the official schemas and are up to date."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft7Validator, Validator
from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.base.diagnostics.wording import did_you_mean, quote
from scaffold.publish.subject import ENTRY, MANIFEST, Subject
from scaffold.schema.mismatch import mismatches
from scaffold.yaml.document import Document, pointer
from scaffold.yaml.finding import Finding
from scaffold.yaml.source import parse

_SCHEMAS = {ENTRY: "server-2025-12-11", MANIFEST: "manifest-0.4"}


def faults(subject: Subject) -> Iterator[Diagnostic]:
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
        for finding in (*_mismatches(path, document), *_unknown_keys(path, document)):
            yield finding.diagnostic(document, Severity.ERROR)


def _mismatches(path: str, document: Document) -> Iterator[Finding]:
    schema = _schema(path)
    yield from mismatches(_validator(path), schema, document.value, "", document)


def _unknown_keys(path: str, document: Document) -> Iterator[Finding]:
    """Yield errors for unknown keys, which the schemas allow and the registry refuses."""
    schema = _schema(path)
    while "$ref" in schema:
        schema = schema["definitions"][schema["$ref"].rpartition("/")[2]]
    known = schema["properties"]
    assert isinstance(document.value, dict)
    for key in document.value:
        if key not in known:
            message = f"unknown key {quote(key)}"
            hint = did_you_mean(key, known, "remove it from `publish` in the spec")
            yield Finding(pointer(key), "unknown-key", message, hint, at_key=True)


@cache
def _schema(path: str) -> dict[str, Any]:
    file = Path(__file__).parent / "schemas" / f"{_SCHEMAS[path]}.json"
    return dict(json.loads(file.read_text("utf-8")))


@cache
def _validator(path: str) -> Validator:
    return Draft7Validator(_schema(path), offline=True)
