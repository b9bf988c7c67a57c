"""Check that the server's settings match each other and the entries of the spec."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.base.diagnostics.explain import sections, warnings
from scaffold.base.diagnostics.wording import did_you_mean, quote
from scaffold.spec.draft import Draft
from scaffold.spec.format import Transport
from scaffold.spec.publish import Package
from scaffold.spec.rules.environment import undeclared
from scaffold.yaml.document import pointer
from scaffold.yaml.finding import Finding

_LISTS = {
    "capabilities": {"tools": "tools", "resources": "resources", "prompts": "prompts"},
    "cache": {
        "tools/list": "tools",
        "prompts/list": "prompts",
        "resources/list": "resources",
        "resources/templates/list": "resources",
        "resources/read": "resources",
    },
}
"""The kind of entries that a capability or a method needs."""


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield settings without effect, and names that the spec does not declare."""
    yield from _auth_faults(draft)
    yield from _capability_faults(draft)
    yield from _publish_faults(draft)
    for number, id in enumerate(draft.spec.lint.ignore):
        if id not in warnings():
            known = "an error, and cannot be ignored" if id in sections() else "not a warning"
            message = f"{quote(id)} is {known}"
            hint = did_you_mean(id, sorted(warnings()), "copy the id in brackets from a warning")
            yield Finding(f"/lint/ignore/{number}", "unknown-warning", message, hint)


def _auth_faults(draft: Draft) -> Iterator[Finding]:
    spec = draft.spec
    if spec.auth is None:
        return
    if set(spec.transports) == {Transport.STDIO} and "/transports" not in draft.lost:
        message = "`auth` protects HTTP, but the server has no HTTP transport"
        hint = "add `streamable-http` to `transports`, or remove `auth`"
        yield Finding("/auth", "auth-without-http", message, hint, at_key=True)
    keys = ", secret: true, required: false"
    yield from undeclared(draft, spec.auth.bearer.env, "/auth/bearer/env", keys)


def _publish_faults(draft: Draft) -> Iterator[Finding]:
    """Yield packages that lack what they need, and patches of what the spec says elsewhere."""
    publish = draft.spec.publish
    for document in ("server", "manifest"):
        for key in ("$schema", "manifest_version", "name", "version"):
            if key in ((getattr(publish, document) if publish else None) or {}):
                at, message = f"/publish/{document}/{key}", f"`{key}` is always generated"
                yield Finding(at, "unpublishable", message, "remove it", at_key=True)
    for number, package in enumerate(publish.packages if publish else ()):
        assert publish
        at = f"/publish/packages/{number}"
        if package is Package.OCI and publish.image is None:
            hint = "add `image: HOST/OWNER/NAME` to `publish`"
            yield Finding(at, "unpublishable", "the image has no name", hint)
        if package is Package.MCPB and publish.repository_of(draft.spec.name) is None:
            message = "a bundle is published in a release of a repository, which has no address"
            hint = "add `repository: https://github.com/OWNER/NAME` to `publish`"
            yield Finding(at, "unpublishable", message, hint)
        if package is Package.MCPB and Transport.STDIO not in draft.spec.transports:
            message = "clients start a bundle over stdio, which the server does not support"
            hint = "add `stdio` to `transports`, or remove `mcpb`"
            yield Finding(at, "unpublishable", message, hint)


def _capability_faults(draft: Draft) -> Iterator[Finding]:
    """Yield capabilities and cache hints for entries that the spec does not have."""
    spec = draft.spec
    has = {key for key, entries in spec.entries.items() if entries or f"/{key}" in draft.lost}
    if "resourceTemplates" in has:
        has.add("resources")
    for key, lists in _LISTS.items():
        for name in spec.written.get(key, ()):
            kind = lists.get(name)
            if kind and kind not in has:
                yield _unfounded(pointer(key, name), name, f"the server has no {kind}", kind)
    completed = any(prompt.arguments for prompt in spec.prompts)
    unknown = any(at.startswith("/prompts") for at in draft.lost)
    if spec.capabilities.completions and not (completed or unknown or "resourceTemplates" in has):
        at, reason = "/capabilities/completions", "no prompt arguments or resource templates"
        yield _unfounded(at, "completions", f"the server has {reason}", "resourceTemplates")


def _unfounded(at: str, name: str, reason: str, missing: str) -> Finding:
    message = f"`{name}` is declared, but {reason}"
    hint = f"add `{missing}:`, or remove `{name}`"
    return Finding(at, "unfounded-capability", message, hint, at_key=True)
