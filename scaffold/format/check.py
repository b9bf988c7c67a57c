"""Check a document and return its spec."""

from __future__ import annotations

import re
from itertools import chain, islice

from msgspec import Struct

from scaffold.base.diagnostics import FAULTS, ScaffoldError, Severity, refusal
from scaffold.format.draft import draft
from scaffold.format.rules import RULES, Rule
from scaffold.format.spec import Spec
from scaffold.yaml.document import Document
from scaffold.yaml.finding import Finding

_DEFAULT = re.compile("/env/[0-9]+/default")
_FOREIGN = {
    "mcpServers": "the configuration of a client",
    "openapi": "an OpenAPI document",
    "swagger": "an OpenAPI document",
    "jsonrpc": "a server's response",
    "serverInfo": "a server's list",
}
"""The kind of a file without `version`, by a key that it has."""


class LoadedSpec(Struct, frozen=True):
    """A spec and its document, with the defaults of variables masked."""

    document: Document
    spec: Spec


def load(document: Document, rule: Rule | None) -> LoadedSpec:
    """Check a document with all rules and the language's `rule`; return it with its spec.

    Without a rule, only the format is checked: a record of a spec was checked when it was written.
    Raises ScaffoldError with every error found.
    """
    if other := _foreign(document):
        raise ScaffoldError([other.diagnostic(document, Severity.ERROR)])
    drafted, findings = draft(document)
    findings = [_without_default(finding, document) for finding in findings]
    document = document.masking("env", "default")  # any of them may be a secret
    if drafted and rule:
        broken = chain.from_iterable(each(drafted) for each in (*RULES, rule))
        findings += islice(broken, FAULTS - len(findings))
    if findings:
        diagnostics = [finding.diagnostic(document, Severity.ERROR) for finding in findings]
        raise refusal(diagnostics, document.name)
    assert drafted
    return LoadedSpec(document, drafted.spec)


def _without_default(finding: Finding, document: Document) -> Finding:
    """Return the finding without the default of a variable, which may be a secret."""
    if not _DEFAULT.fullmatch(finding.pointer):
        return finding
    message, hint = finding.message, finding.hint
    value = document.node(finding.pointer)
    for text in (document.written(finding.pointer), str(value.value) if value else ""):
        if text:
            message, hint = message.replace(text, "*****"), hint.replace(text, "*****")
    return finding._replace(message=message, hint=hint)


def _foreign(document: Document) -> Finding | None:
    """Return the error for a file that is not a spec but that `import` can read, if it is one."""
    value, what = document.value, None
    if isinstance(value, list):
        has_tools = any(isinstance(item, dict) and "inputSchema" in item for item in value)
        what = "a tool list" if has_tools else None
    elif isinstance(value, dict) and "version" not in value:
        is_list = document.name.endswith(".json") and isinstance(value.get("tools"), list)
        named = (name for key, name in _FOREIGN.items() if key in value)
        what = next(named, "a server's list" if is_list else None)
    if what is None:
        return None
    hint = f"to convert it to a spec, run `mcp-scaffold import {document.name} -o mcp.yaml`"
    if what == _FOREIGN["mcpServers"]:
        hint = "to import a server from it, run `mcp-scaffold import -- COMMAND`"
    return Finding("", "not-a-spec", f"this is {what}, not a spec", hint)
