"""Check that capabilities and cache hints match what the server has."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.spec.draft import Draft
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
    """Yield capabilities and cache hints for entries that the spec does not have."""
    spec = draft.spec
    has = {key for key, entries in spec.entries.items() if entries or f"/{key}" in draft.lost}
    if "resourceTemplates" in has:
        has.add("resources")
    for key, lists in _LISTS.items():
        for name in spec.written.get(key, ()):
            kind = lists.get(name)
            if kind and kind not in has:
                at = pointer(key, name)
                yield _unfounded(at, name, f"the server has no {kind}", kind)
    completed = any(prompt.arguments for prompt in spec.prompts)
    unknown = any(at.startswith("/prompts") for at in draft.lost)
    if spec.capabilities.completions and not (completed or unknown or "resourceTemplates" in has):
        yield _unfounded(
            "/capabilities/completions",
            "completions",
            "no prompt has arguments, and there are no resource templates",
            "resourceTemplates",
        )


def _unfounded(at: str, name: str, reason: str, missing: str) -> Finding:
    return Finding(
        at,
        "unfounded-capability",
        f"`{name}` says more than the server can do: {reason}",
        f"add `{missing}:`, or remove `{name}`",
        at_key=True,
    )
