"""Warnings about the server: its settings, its transports and its list of tools."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from scaffold.base.diagnostics.wording import quote
from scaffold.spec.format import Spec, Transport
from scaffold.spec.lint.texts import FILLERS, LONGEST_TEXT, stem, too_long, words
from scaffold.yaml.finding import Finding

MOST_TOOLS = 128
"""The maximum tools per request of OpenAI and Visual Studio Code."""
MOST_TOKENS = 20_000
"""The tokens of a tool list at which Claude Code defers tools: 10% of 200,000."""
CHARACTERS_A_TOKEN = 4
"""An estimate for English and JSON; tokenizers differ between models."""
SECRET_NAME = re.compile(
    r"(^|_)(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|SECRET_KEY|ACCESS_KEY|PRIVATE_KEY|"
    r"CREDENTIALS?)$",
    re.IGNORECASE,
)
_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|::1", re.IGNORECASE)


def warnings(spec: Spec) -> Iterator[Finding]:
    """Yield warnings about the server as a whole."""
    yield from _client_warnings(spec)
    yield from _list_warnings(spec)
    yield from _setting_warnings(spec)


def _client_warnings(spec: Spec) -> Iterator[Finding]:
    if len(spec.tools) > MOST_TOOLS:
        limit = f"OpenAI models and Visual Studio Code accept {MOST_TOOLS} per request"
        hint = "split the server, so that people connect only what they use"
        yield Finding("/tools", "too-many-tools", f"{len(spec.tools)} tools; {limit}", hint)
    if len(spec.instructions or "") > LONGEST_TEXT:
        yield too_long("/instructions", "the instructions have", len(spec.instructions or ""))
    if Transport.SSE in spec.transports and Transport.STREAMABLE_HTTP not in spec.transports:
        at = f"/transports/{spec.transports.index(Transport.SSE)}"
        message = "SSE is the only HTTP transport, and deprecated since MCP 2026-07-28"
        yield Finding(at, "sse-only", message, "add `streamable-http`")


def _list_warnings(spec: Spec) -> Iterator[Finding]:
    tokens = sum(len(json.dumps(tool.wire)) for tool in spec.tools) // CHARACTERS_A_TOKEN
    if tokens > MOST_TOKENS:
        estimate = f"estimated at {CHARACTERS_A_TOKEN} characters per token"
        message = f"the tool list takes about {tokens:,} tokens of a model's context ({estimate})"
        hint = "shorten descriptions and schemas, or split the server"
        yield Finding("/tools", "large-tool-list", message, hint)
    seen: dict[str, str] = {}
    for tool in spec.tools:
        text = " ".join(stem(word) for word in words(tool.description or "") if word not in FILLERS)
        if text and text in seen:
            message = f"{quote(tool.name)} and {quote(seen[text])} have the same description"
            hint = "say in each what the other tool does not do, so that models can choose"
            yield Finding(f"{tool.pointer}/description", "same-description", message, hint)
        seen.setdefault(text, tool.name)


def _setting_warnings(spec: Spec) -> Iterator[Finding]:
    over_http = set(spec.transports) - {Transport.STDIO}
    if "http" in spec.model_fields_set and not over_http:
        message = "`http` has no effect: the server uses only stdio"
        hint = "add `streamable-http` to `transports`, or remove `http`"
        yield Finding("/http", "unused-http", message, hint, at_key=True)
    if over_http and not spec.auth and not _LOOPBACK.fullmatch(spec.http.host):
        message = f"`{spec.http.host}` is reachable from other machines, without authentication"
        hint = "add `auth`; without it, the server needs `--allow-unauthenticated` to start"
        yield Finding("/http/host", "open-host", message, hint)
    used = {name for tool in spec.tools for name in tool.errors}
    for error in spec.errors:
        if error.name not in used:
            message = f"no tool has {quote(error.name)} in its `errors`"
            hint = f"add `errors: [{error.name}]` to the tools that raise it, or remove it"
            yield Finding(f"{error.pointer}/name", "unused-error", message, hint)
    bearer = spec.auth.bearer.env if spec.auth else None
    for variable in spec.env:
        if not variable.secret and (variable.name == bearer or SECRET_NAME.search(variable.name)):
            why = "holds the bearer token" if variable.name == bearer else "seems to be a secret"
            message = f"{quote(variable.name)} {why}, but is not marked as a secret"
            hint = "add `secret: true`, so that its value is never written to a file"
            yield Finding(f"{variable.pointer}/name", "unmarked-secret", message, hint)
