"""Faults of what the server announces: capabilities and cache hints of what it does not have."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.spec.document import Document, Json
from scaffold.spec.finding import Finding

_LISTS = {
    "tools": "tools",
    "tools/list": "tools",
    "prompts": "prompts",
    "prompts/list": "prompts",
    "resources": "resources",
    "resources/list": "resources",
    "resources/templates/list": "resources",
    "resources/read": "resources",
}
"""Which entries a capability or a method is about."""


def capability_faults(document: Document) -> Iterator[Finding]:
    """What the spec says about lists that the server does not have, and completions of nothing."""
    value = document.value
    if not isinstance(value, dict):
        return
    has = {key for key in ("tools", "resources", "prompts") if value.get(key)}
    if value.get("resourceTemplates"):
        has.add("resources")
    for key in ("capabilities", "cache"):
        declared = value.get(key)
        for name in declared if isinstance(declared, dict) else ():
            if _LISTS.get(name, name) in {"tools", "resources", "prompts"} - has:
                kind = _LISTS[name]
                yield _unfounded(
                    f"/{key}/{name.replace('/', '~1')}", name, f"the server has no {kind}", kind
                )
    capabilities = value.get("capabilities")
    if isinstance(capabilities, dict) and "completions" in capabilities:
        prompts = value.get("prompts")
        takes_arguments = any(map(_has_arguments, prompts if isinstance(prompts, list) else ()))
        if not (takes_arguments or value.get("resourceTemplates")):
            yield _unfounded(
                "/capabilities/completions",
                "completions",
                "no prompt has arguments, and there are no resource templates",
                "resourceTemplates",
            )


def _has_arguments(prompt: Json) -> bool:
    return isinstance(prompt, dict) and bool(prompt.get("arguments"))


def _unfounded(at: str, name: str, reason: str, missing: str) -> Finding:
    return Finding(
        at,
        "unfounded-capability",
        f"`{name}` says more than the server can do: {reason}",
        f"add `{missing}:`, or remove `{name}`",
        at_key=True,
    )
