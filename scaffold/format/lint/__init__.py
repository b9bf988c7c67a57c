"""Lint: warnings about valid specs that work badly with clients or models.

diagnostics.md documents each warning and the clients and models it concerns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain

from pydantic_core import to_json

from scaffold.base.diagnostics import Diagnostic, Severity, in_order
from scaffold.base.diagnostics.wording import quote
from scaffold.format.lint.entries import (
    deprecations,
    entry_warnings,
    server_warnings,
    text_warnings,
)
from scaffold.format.lint.schemas import annotation_warnings, argument_warnings, schema_warnings
from scaffold.format.spec import Spec, Tool
from scaffold.yaml.document import Document
from scaffold.yaml.finding import Finding

BYTES_A_TOKEN = 4
"""An estimate for English and JSON."""
MAX_TOOLS = 128
"""The maximum tools per request of OpenAI and Visual Studio Code."""
MAX_TOKENS = 20_000
"""The tokens of a tool list at which Claude Code defers tools: 10% of 200,000."""
LARGEST_TOOLS = 10
_ESTIMATE = f"estimated at {BYTES_A_TOKEN} bytes of JSON per token"


def lint(
    spec: Spec, document: Document, tools: Collection[Tool] | None = None
) -> tuple[Diagnostic, ...]:
    """Return the warnings that the spec does not ignore, sorted by place.

    Rules for single tools check `tools`, by default all.
    """
    chosen = spec.tools if tools is None else tools
    warnings = chain(
        server_warnings(spec),
        budget_warnings(spec),
        entry_warnings(spec, chosen),
        text_warnings(spec, chosen),
        annotation_warnings(chosen, document),
        argument_warnings(chosen),
        schema_warnings(chosen, document),
    )
    masked = document.masking("env", "default")
    return in_order(
        finding.diagnostic(masked, Severity.WARNING)
        for finding in warnings
        if finding.id not in spec.lint.ignore
    )


def notes(spec: Spec, document: Document) -> Iterator[Diagnostic]:
    """Yield notes about what MCP has deprecated, for who makes a server or adds that to it."""
    return (finding.diagnostic(document, Severity.NOTE) for finding in deprecations(spec))


def tokens(tool: Tool) -> int:
    """Return about how many tokens of a model's context a tool takes."""
    return len(to_json(tool.wire)) // BYTES_A_TOKEN


def budget_warnings(spec: Spec) -> Iterator[Finding]:
    """Yield warnings about the number of tools and their tokens, by clients and by the budget.

    All numbers of tokens are estimates: each model counts differently. Only tools count that the
    server offers by default.
    """
    tools, whole = len(spec.offered), sum(map(tokens, spec.offered))
    if tools > MAX_TOOLS:
        limit = f"OpenAI models and Visual Studio Code accept {MAX_TOOLS} per request"
        hint = "split the server or divide its tools into `toolsets`, so that people choose"
        yield Finding("/tools", "too-many-tools", f"{tools} tools; {limit}", hint)
    if whole > MAX_TOKENS:
        message = f"the tool list takes about {whole:,} tokens of a model's context ({_ESTIMATE})"
        hint = "shorten descriptions and schemas, or divide the tools into `toolsets`"
        yield Finding("/tools", "large-tool-list", message, hint)
    by_default = " that are offered by default" if spec.toolsets else ""
    if spec.budget and spec.budget.tools and tools > spec.budget.tools:
        message = f"there are {tools} tools{by_default}, and the budget is {spec.budget.tools}"
        hint = "put those that few people need into `toolsets`"
        yield Finding("/budget/tools", "over-budget", message, hint)
    if spec.budget and spec.budget.tokens and whole > spec.budget.tokens:
        message = f"the tools{by_default} take about {whole:,} tokens ({_ESTIMATE}), and the"
        message += f" budget is {spec.budget.tokens:,}"
        by_cost = sorted(spec.offered, key=tokens, reverse=True)[:LARGEST_TOOLS]
        largest = ", ".join(f"{quote(tool.name)} {tokens(tool):,}" for tool in by_cost)
        hint = "shorten descriptions and schemas, or put tools into `toolsets`"
        notes = (("largest", largest),)
        yield Finding("/budget/tokens", "over-budget", message, hint, notes=notes)
