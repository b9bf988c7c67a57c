"""Changes between two specs, as values, and the rules about them: their levels and remedies."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from msgspec import Struct


class Level(StrEnum):
    """What a change does to callers: break them, perhaps break them, or only differ."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Change(Struct, frozen=True, kw_only=True):
    """One difference between two specs, from the point of view of callers.

    `id` is a key of `RULES`. `where` is a JSON Pointer into the new spec, or into the old one if
    `is_gone`: what it is about is no longer there. `kind` and `subject` name the entry: a `tool`
    and its name, a `resource` and its URI, a `variable`, or the `server`. `message` is one line,
    without a full stop; names in it are quoted with backticks.

    `is_proved` is false if it could not be decided whether the change breaks anything; the level is
    a warning then. Changes of schemas are proved by an example: `witness` are arguments that the
    old server accepts and the new one refuses, or a result that the new one may send and the old
    schema refuses. `refusal` is why. Both are None for other changes.
    A witness can also be `null` in JSON: there is one if `refusal` is not None.
    """

    id: str
    level: Level
    where: str
    kind: str
    subject: str
    message: str
    witness: Any = None
    refusal: str | None = None
    is_proved: bool = True
    is_gone: bool = False


class Rule(NamedTuple):
    """A rule: the usual level of its changes, which may be lower, and how to avoid them.

    What they do to callers is told in `scaffold/base/diagnostics/diagnostics.md`.
    """

    level: Level
    remedy: str = ""


_UNPROVED = "Look at the change: if no valid call is refused, accept the finding."

RULES: Mapping[str, Rule] = {
    "tool-removed": Rule(
        Level.ERROR, "Keep the tool, and say in its description that it is deprecated."
    ),
    "tool-renamed": Rule(Level.ERROR, "Keep the old name, or offer both tools for a while."),
    "tool-added": Rule(Level.INFO),
    "argument-required": Rule(Level.ERROR, "Make the argument optional."),
    "argument-removed": Rule(Level.ERROR, "Keep the argument, and ignore it in the handler."),
    "argument-narrowed": Rule(Level.ERROR, "Keep on accepting the old values."),
    "argument-unproved": Rule(Level.WARNING, _UNPROVED),
    "argument-widened": Rule(Level.INFO),
    "argument-added": Rule(Level.INFO),
    "default-changed": Rule(
        Level.WARNING, "Keep the default, or add an argument for the new behavior."
    ),
    "result-field-lost": Rule(Level.ERROR, "Keep the field."),
    "result-widened": Rule(Level.ERROR, "Send only what the old schema allows."),
    "result-unproved": Rule(Level.WARNING, _UNPROVED),
    "result-narrowed": Rule(Level.INFO),
    "output-schema-removed": Rule(Level.ERROR, "Keep the output schema."),
    "output-schema-added": Rule(Level.INFO),
    "output-type-changed": Rule(Level.WARNING, "Return an object that holds the value."),
    "safety-lowered": Rule(Level.WARNING, "Offer the riskier behavior as a separate tool."),
    "safety-raised": Rule(Level.INFO),
    "timeout-shortened": Rule(Level.WARNING, "Keep the timeout."),
    "header-required": Rule(Level.ERROR, "Add another argument with the header."),
    "task-support-changed": Rule(Level.ERROR, "Make task support optional."),
    "error-removed": Rule(Level.WARNING, "Keep the error as long as callers may depend on it."),
    "error-added": Rule(Level.INFO),
    "error-message-changed": Rule(Level.WARNING, "Keep the beginning of the message."),
    "resource-removed": Rule(Level.ERROR, "Keep the URI."),
    "resource-added": Rule(Level.INFO),
    "template-changed": Rule(Level.ERROR, "Keep the URI template."),
    "template-added": Rule(Level.INFO),
    "mime-type-changed": Rule(Level.ERROR, "Keep the media type, or offer another resource."),
    "prompt-removed": Rule(Level.ERROR, "Keep the prompt."),
    "prompt-added": Rule(Level.INFO),
    "prompt-argument-required": Rule(Level.ERROR, "Make the argument optional."),
    "prompt-argument-removed": Rule(Level.WARNING, "Keep the argument."),
    "prompt-argument-added": Rule(Level.INFO),
    "server-renamed": Rule(Level.ERROR, "Keep the name, and change the title."),
    "backend-changed": Rule(Level.WARNING, "Keep the request, or add a tool for the new one."),
    "distribution-removed": Rule(Level.ERROR, "Keep the address, the package and the namespace."),
    "transport-removed": Rule(Level.ERROR, "Keep the transport."),
    "transport-added": Rule(Level.INFO),
    "transport-default-changed": Rule(
        Level.WARNING, "Keep the first transport, and add others after it."
    ),
    "address-changed": Rule(Level.WARNING, "Keep the host and the port."),
    "auth-required": Rule(Level.ERROR, "Offer the protected server as a separate deployment."),
    "auth-changed": Rule(Level.ERROR, "Keep the variable."),
    "auth-removed": Rule(Level.WARNING, "Keep the authentication."),
    "variable-required": Rule(Level.ERROR, "Give the variable a default."),
    "variable-changed": Rule(Level.ERROR, "Add a variable of the new type."),
    "variable-default-changed": Rule(Level.WARNING, "Keep the default."),
    "variable-removed": Rule(
        Level.WARNING, "Keep the variable, or say in the changelog that it is gone."
    ),
    "variable-added": Rule(Level.INFO),
    "capability-removed": Rule(Level.ERROR, "Keep the capability."),
    "capability-added": Rule(Level.INFO),
    "client-capability-required": Rule(Level.WARNING, "Let handlers work without it."),
    "description-changed": Rule(Level.INFO),
    "metadata-changed": Rule(Level.INFO),
    "budget-exceeded": Rule(
        Level.WARNING, "Shorten descriptions, or move definitions that occur twice to `$defs`."
    ),
    "version-not-raised": Rule(Level.ERROR, "Raise the version in the spec."),
    "acceptance-unused": Rule(Level.ERROR, "Remove the entry, or correct its `id` or `where`."),
    "acceptance-expired": Rule(
        Level.ERROR, "Undo the change that it accepted, or write a later day."
    ),
    "spec-added": Rule(Level.INFO),
    "baseline-partial": Rule(
        Level.WARNING, "Compare with a spec, or with a list of a later version."
    ),
}
"""All rules by id."""


def made(id: str, kind: str, subject: str, where: str, message: str, **more: Any) -> Change:
    """Return a change by a rule, of its usual level if no other is given."""
    level = more.pop("level", RULES[id].level)
    return Change(
        id=id, level=level, where=where, kind=kind, subject=subject, message=message, **more
    )
