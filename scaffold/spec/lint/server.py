"""Warnings about the server: its settings, its transports and its list of tools."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from scaffold.diagnostics.wording import quote
from scaffold.spec.format import Spec, Transport
from scaffold.spec.lint.phrases import FILLERS, LONGEST_TEXT, stem, too_long, words
from scaffold.spec.lint.subject import Subject
from scaffold.yaml.finding import Finding

MOST_TOOLS = 128
"""The maximum tools per request of OpenAI and Visual Studio Code."""
MOST_TOKENS = 20_000
"""The tokens of a tool list at which Claude Code defers tools: 10% of 200,000."""
CHARACTERS_A_TOKEN = 4
"""An estimate for English and JSON; tokenizers differ between models."""
_SECRET_NAME = re.compile(
    r"(^|_)(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|SECRET_KEY|ACCESS_KEY|PRIVATE_KEY|"
    r"CREDENTIALS?)$",
    re.IGNORECASE,
)
_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|::1", re.IGNORECASE)


def warnings(subject: Subject) -> Iterator[Finding]:
    """Yield warnings about the server as a whole."""
    yield from _client_warnings(subject.spec)
    yield from _list_warnings(subject.spec)
    yield from _setting_warnings(subject.spec)


def _client_warnings(spec: Spec) -> Iterator[Finding]:
    if len(spec.tools) > MOST_TOOLS:
        yield Finding(
            "/tools",
            "too-many-tools",
            f"{len(spec.tools)} tools are more than the {MOST_TOOLS} that OpenAI models and "
            "Visual Studio Code take in one request",
            "split the server, so that people connect only what they use",
        )
    if len(spec.instructions or "") > LONGEST_TEXT:
        yield too_long("/instructions", "the instructions have", len(spec.instructions or ""))
    if Transport.SSE in spec.transports and Transport.STREAMABLE_HTTP not in spec.transports:
        yield Finding(
            f"/transports/{spec.transports.index(Transport.SSE)}",
            "sse-only",
            "SSE is deprecated since MCP 2026-07-28, and it is the only way to reach the server "
            "over HTTP",
            "add `streamable-http`",
        )


def _list_warnings(spec: Spec) -> Iterator[Finding]:
    characters = sum(len(json.dumps(tool.wire)) for tool in spec.tools)
    tokens = characters // CHARACTERS_A_TOKEN
    if tokens > MOST_TOKENS:
        yield Finding(
            "/tools",
            "large-tool-list",
            f"the list of tools takes about {tokens:,} tokens of a model's context (an estimate: "
            f"{CHARACTERS_A_TOKEN} characters a token)",
            "shorten descriptions and schemas, or split the server",
        )
    seen: dict[str, str] = {}
    for tool in spec.tools:
        text = " ".join(stem(word) for word in words(tool.description or "") if word not in FILLERS)
        if text and text in seen:
            yield Finding(
                f"{tool.pointer}/description",
                "same-description",
                f"{quote(tool.name)} and {quote(seen[text])} have the same description, and a "
                "model cannot tell which to call",
                "say in each what the other does not do",
            )
        seen.setdefault(text, tool.name)


def _setting_warnings(spec: Spec) -> Iterator[Finding]:
    over_http = set(spec.transports) - {Transport.STDIO}
    if "http" in spec.model_fields_set and not over_http:
        yield Finding(
            "/http",
            "unused-http",
            "`http` has no effect: the server is reached over stdio only",
            "add `streamable-http` to `transports`, or remove `http`",
            at_key=True,
        )
    if over_http and not spec.auth and not _LOOPBACK.fullmatch(spec.http.host):
        yield Finding(
            "/http/host",
            "open-host",
            f"the server listens at `{spec.http.host}`, beyond this machine, and lets in everyone",
            "add `auth`; without it the server starts only with `--allow-unauthenticated`",
        )
    used = {name for tool in spec.tools for name in tool.errors}
    for error in spec.errors:
        if error.name not in used:
            yield Finding(
                f"{error.pointer}/name",
                "unused-error",
                f"no tool names {quote(error.name)} among its `errors`",
                f"add `errors: [{error.name}]` to the tools that raise it, or remove it",
            )
    bearer = spec.auth.bearer.env if spec.auth else None
    for variable in spec.env:
        if not variable.secret and (variable.name == bearer or _SECRET_NAME.search(variable.name)):
            yield Finding(
                f"{variable.pointer}/name",
                "unmarked-secret",
                f"{quote(variable.name)} is a secret by its name, and is not marked as one"
                if variable.name != bearer
                else f"{quote(variable.name)} holds the token, and is not marked as a secret",
                "add `secret: true`, so that its value is never written down",
            )
