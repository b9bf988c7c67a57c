"""Warnings about the server, its entries and their texts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from scaffold.base.diagnostics.wording import join, quote
from scaffold.base.secrets import holds_credential, is_secret_name
from scaffold.format.spec import Spec, Tool, Transport
from scaffold.yaml.document import pointer
from scaffold.yaml.finding import Finding

_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|::1", re.IGNORECASE)
MAX_NAME_LENGTH = 64
"""The maximum length of a function name in OpenAI and Gemini."""
MAX_NAMES_LENGTH = 60
"""The length of server and tool name together at which Cursor leaves out a tool."""
_FUNCTION = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_EXPECTED = re.compile(r"/\w+/\d+/examples/\d+/result\b")
MAX_TEXT_LENGTH = 2048
"""The characters of a description or the instructions before Claude Code truncates."""
PLACEHOLDERS = {
    "tool": "Say what it does, and when to use it.",
    "resource": "Say what it holds.",
    "prompt": "Say what it asks for.",
}
"""The descriptions that `add` writes, by the kind of entry."""
_INSTEAD = {
    "sampling": "call the API of a model from the handler",
    "roots": "take folders as arguments, or as variables in `env`",
    "logging": "log with `logging`: standard error and `telemetry` are where operators look",
    "sse": "keep it for clients that have nothing else",
}
_HIDDEN = ("Cf", "Co")
"""The categories of invisible characters: format and private use."""

_SILENT = frozenset("\u200d\u200c\ufeff")
"""Format characters that scripts and emoji need, and the byte order mark."""


def server_warnings(spec: Spec) -> Iterator[Finding]:
    """Yield warnings about the server as a whole."""
    if len(spec.instructions or "") > MAX_TEXT_LENGTH:
        yield too_long("/instructions", "the instructions have", len(spec.instructions or ""))
    if Transport.SSE in spec.transports and Transport.STREAMABLE_HTTP not in spec.transports:
        at = f"/transports/{spec.transports.index(Transport.SSE)}"
        message = "SSE is the only HTTP transport, and deprecated since MCP 2026-07-28"
        yield Finding(at, "sse-only", message, "add `streamable-http`")
    over_http = set(spec.transports) - {Transport.STDIO}
    if over_http and not spec.auth and not _LOOPBACK.fullmatch(spec.http.host):
        message = f"`{spec.http.host}` is reachable from other machines, without authentication"
        hint = "add `auth`; without it, the server needs `--allow-unauthenticated` to start"
        yield Finding("/http/host", "open-host", message, hint)
    if spec.replicas and over_http and Transport.SSE in spec.transports:
        at = f"/transports/{spec.transports.index(Transport.SSE)}"
        message = "all requests of a client of `/sse` must reach the same replica"
        hint = "remove `sse`, or route each of its clients to one replica"
        yield Finding(at, "sse-with-replicas", message, hint)
    if not spec.offered and spec.tools:
        message = "the server offers no tool unless somebody chooses toolsets"
        hint = "add `default: true` to a toolset that most people need"
        yield Finding("/toolsets", "no-default-toolset", message, hint, at_key=True)
    held = {spec.auth.token: "holds the bearer token"} if spec.auth else {}
    if spec.replicas and spec.replicas.state_keys:
        held[spec.replicas.state_keys.env] = "holds the keys of replicas"
    for variable in spec.env:
        if not variable.secret and (variable.name in held or is_secret_name(variable.name)):
            why = held.get(variable.name, "seems to be a secret")
            message = f"{quote(variable.name)} {why}, but is not marked as a secret"
            hint = "add `secret: true`, so that its value is never written to a file"
            yield Finding(f"{variable.pointer}/name", "unmarked-secret", message, hint)


def deprecations(spec: Spec) -> Iterator[Finding]:
    """Yield what the spec uses and MCP has deprecated, unless a warning says so."""
    asks, transports = spec.asks, [*spec.transports]
    used = {
        "/clientCapabilities/sampling": "sampling" in asks,
        "/clientCapabilities/roots": "roots" in asks,
        "/capabilities/logging": "logging" in spec.capabilities.declared,
    }
    if Transport.SSE in transports and Transport.STREAMABLE_HTTP in transports:
        used[f"/transports/{transports.index(Transport.SSE)}"] = True
    for at, is_used in used.items():
        if is_used:
            name = Transport.SSE if "transports" in at else at.rpartition("/")[2]
            message = f"`{name}` is deprecated since MCP 2026-07-28, and still works here"
            yield Finding(at, "deprecated", message, _INSTEAD[name])


def entry_warnings(spec: Spec, tools: Iterable[Tool]) -> Iterator[Finding]:
    """Yield warnings about these tools, except those about their schemas, and other entries."""
    scoped = next((tool.name for tool in spec.tools if tool.scopes), None)
    for tool in tools:
        name, task = quote(tool.name), tool.as_task
        only_reads = tool.annotations and tool.annotations.read_only_hint
        if scoped and not (tool.scopes or only_reads):
            message = f"{name} may write, but needs no scope, unlike {quote(scoped)}"
            hint = "add `scopes`, or `readOnlyHint: true` to `annotations` if it only reads"
            yield Finding(f"{tool.pointer}/name", "unscoped-tool", message, hint)
        yield from _name_warnings(spec, tool)
        yield from _description_warnings(tool)
        if task and task.support == "required":
            message = f"{name} refuses clients without tasks, as all before 2026-07-28 are"
            hint = "write `optional`: they wait for the result"
            yield Finding(f"{tool.pointer}/task", "task-required", message, hint, at_key=True)
        if task and (tool.timeout or 0) >= task.ttl:
            message = f"{name} may run until its task is forgotten"
            hint = "make `ttl` longer than `timeout`, so that clients can fetch a late result"
            yield Finding(f"{tool.pointer}/timeout", "task-too-short", message, hint)
    yield from _prompt_warnings(spec)
    for entry in (*tools, *spec.resources, *spec.resource_templates, *spec.prompts):
        if entry.description in PLACEHOLDERS.values():
            message = f"{quote(entry.name)} has the description that `add` wrote"
            hint = "clients show it to models and people: replace it"
            yield Finding(f"{entry.pointer}/description", "placeholder-description", message, hint)


def _name_warnings(spec: Spec, tool: Tool) -> Iterator[Finding]:
    at, name, together = f"{tool.pointer}/name", quote(tool.name), len(spec.name) + len(tool.name)
    if len(tool.name) > MAX_NAME_LENGTH:
        limit = f"OpenAI and Gemini models accept at most {MAX_NAME_LENGTH}"
        message = f"{name} has {len(tool.name)} characters; {limit}"
        yield Finding(at, "long-name", message, "shorten it")
    elif together >= MAX_NAMES_LENGTH:
        limit = f"Cursor omits tools with {MAX_NAMES_LENGTH} or more"
        message = f"{name} and the server's name have {together} characters together; {limit}"
        yield Finding(at, "long-name", message, "shorten one of them")
    if not _FUNCTION.fullmatch(tool.name):
        bad = sorted(set(re.findall(r"[^A-Za-z0-9_-]", tool.name)))
        message = f"{name} begins with `{tool.name[0]}`, which Gemini models reject"
        if bad:
            message = f"{name} has {join(bad, 'and')}, which OpenAI and Anthropic models reject"
        hint = "start with a letter, and use only letters, digits, `_` and `-`"
        yield Finding(at, "unportable-name", message, hint)


def _description_warnings(tool: Tool) -> Iterator[Finding]:
    at, text = f"{tool.pointer}/description", tool.description or ""
    advice = "say what it does, when to use it, and what it returns"
    if len(text) > MAX_TEXT_LENGTH:
        yield too_long(at, "the description has", len(text))
    if not text.strip():
        message = f"tool {quote(tool.name)} has no description for models to choose it by"
        yield Finding(at, "no-description", message, advice, at_key=True)


def _prompt_warnings(spec: Spec) -> Iterator[Finding]:
    """Yield prompts, and arguments of prompts, without descriptions."""
    for prompt in spec.prompts:
        if not (prompt.description or "").strip():
            message = f"prompt {quote(prompt.name)} has no description for people to choose it by"
            hint = "say what it asks the model to do"
            yield Finding(prompt.pointer, "no-description", message, hint, at_key=True)
        silent = [a.name for a in prompt.arguments if not (a.description or a.title or "").strip()]
        if silent:
            at, why = f"{prompt.pointer}/arguments", "so people must guess what to fill in"
            yield undescribed(at, silent, len(prompt.arguments), why)


def text_warnings(spec: Spec, tools: Iterable[Tool]) -> Iterator[Finding]:
    """Yield texts that are likely mistakes or a danger, in these tools and beside them."""
    others = [(pointer(key), value) for key, value in spec.whole.items() if key != "tools"]
    texts = [*others, *((tool.pointer, tool.whole) for tool in tools)]
    waiting: list[tuple[str, Any]] = [(at, value) for at, value in texts if _may_hold_text(value)]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, str):
            yield from _text_warnings(value, at)
            continue
        items = value.items() if isinstance(value, dict) else enumerate(value)
        waiting += [(at + pointer(key), item) for key, item in items if _may_hold_text(item)]


def _may_hold_text(value: object) -> bool:
    """Return whether a value may hold a text that is not short and plain."""
    if isinstance(value, str):
        return len(value) >= 16 or not value.isascii() or "..." in value
    return isinstance(value, dict | list)


def _text_warnings(text: str, at: str) -> Iterator[Finding]:
    others = "" if text.isascii() else text
    if hidden := [c for c in others if unicodedata.category(c) in _HIDDEN and c not in _SILENT]:
        name = unicodedata.name(hidden[0], "private use").lower()
        message = f"invisible character U+{ord(hidden[0]):04X} ({name}), which models read"
        hint = "remove it; text that people cannot see is a way to attack models"
        yield Finding(at, "invisible-text", message, hint)
    if holds_credential(text):
        hint = "remove it, or write a placeholder such as `<token>`"
        yield Finding(at, "credential-in-text", "this looks like a password or token", hint)
    if "..." in text and _EXPECTED.match(at):
        message = "`...` in an expected text stands for three dots"
        yield Finding(at, "three-dots", message, "write `…`, which stands for anything")


def too_long(at: str, what: str, length: int) -> Finding:
    """Return the warning about a text that Claude Code truncates."""
    message = f"{what} {length:,} characters; Claude Code truncates after {MAX_TEXT_LENGTH:,}"
    return Finding(at, "long-description", message, "shorten it, or start with what matters")


def undescribed(at: str, silent: list[str], total: int, why: str) -> Finding:
    """Return the warning about arguments without a description; `why` says who needs it."""
    names = join(silent[:4], "and") + (" and others" if silent[4:] else "")
    subject = f"{len(silent)} of {total} arguments" if total > 1 else "the argument"
    listed = f"({names})" if total > 1 else names
    verb = "has" if len(silent) == 1 else "have"
    message = f"{subject} {listed} {verb} no description, {why}"
    return Finding(at, "undescribed-argument", message, "add `description:`", at_key=True)
