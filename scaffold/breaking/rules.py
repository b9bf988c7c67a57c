"""The rules about changes: their ids, levels, meanings and remedies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from scaffold.breaking.change import Change, Level


class Rule(NamedTuple):
    """A rule: what its changes do to callers, and how to avoid them.

    `level` is the usual one; a change may have a lower level.
    """

    level: Level
    meaning: str
    remedy: str


_UNPROVED = "Look at the change: if no valid call is refused, accept the finding."

RULES: Mapping[str, Rule] = {
    "tool-removed": Rule(
        Level.ERROR,
        "A tool is gone. Calls fail, and permissions for it in clients have no effect.",
        "Keep the tool, and say in its description that it is deprecated.",
    ),
    "tool-renamed": Rule(
        Level.ERROR,
        "A tool has another name. Clients and their permissions use the old one.",
        "Keep the old name, or offer both tools for a while.",
    ),
    "tool-added": Rule(Level.INFO, "A tool is new.", ""),
    "argument-required": Rule(
        Level.ERROR,
        "Calls without this argument were accepted, and are refused now. A default does not help: "
        "arguments are validated before defaults are filled in.",
        "Make the argument optional.",
    ),
    "argument-removed": Rule(
        Level.ERROR,
        "An argument is gone. If other arguments are not allowed, calls with it are refused. "
        "Otherwise it is silently ignored, and the level is a warning.",
        "Keep the argument, and ignore it in the handler.",
    ),
    "argument-narrowed": Rule(
        Level.ERROR,
        "Some arguments that the old server accepts are refused now.",
        "Keep on accepting the old values.",
    ),
    "argument-unproved": Rule(
        Level.WARNING,
        "The schema of the arguments changed. It is not proved that all old calls are still accepted, "
        "and no call was found that is not.",
        _UNPROVED,
    ),
    "argument-widened": Rule(Level.INFO, "More arguments are accepted than before.", ""),
    "argument-added": Rule(Level.INFO, "An optional argument is new.", ""),
    "default-changed": Rule(
        Level.WARNING,
        "The same call, without this argument, has another effect. Only a default that the server "
        "fills in counts, so not one behind `$ref` or in a branch.",
        "Keep the default, or add an argument for the new behavior.",
    ),
    "result-field-lost": Rule(
        Level.ERROR,
        "Results may lack a field, or have other values in it, that the old output schema "
        "promises. Clients validate results with the schema that they hold.",
        "Keep the field.",
    ),
    "result-widened": Rule(
        Level.ERROR,
        "Some results that the new output schema allows are refused by the old one. Clients "
        "validate results with the schema that they hold.",
        "Send only what the old schema allows.",
    ),
    "result-unproved": Rule(
        Level.WARNING,
        "The output schema changed. It is not proved that the old one allows all new results, and no "
        "result was found that it refuses.",
        _UNPROVED,
    ),
    "result-narrowed": Rule(Level.INFO, "The output schema promises more than before.", ""),
    "output-schema-removed": Rule(
        Level.ERROR,
        "A tool no longer has structured results, on which callers rely.",
        "Keep the output schema.",
    ),
    "output-schema-added": Rule(Level.INFO, "A tool has structured results now.", ""),
    "output-type-changed": Rule(
        Level.WARNING,
        "Results are no longer objects. Clients of older protocol versions get them wrapped in "
        "one.",
        "Return an object that holds the value.",
    ),
    "safety-lowered": Rule(
        Level.WARNING,
        "The annotations promise less safety than those that people approved, or users share cached "
        "responses.",
        "Offer the riskier behavior as a separate tool.",
    ),
    "safety-raised": Rule(
        Level.INFO, "The annotations or the cache hints promise more safety than before.", ""
    ),
    "timeout-shortened": Rule(
        Level.WARNING,
        "Calls that took longer than this are ended with an error now.",
        "Keep the timeout.",
    ),
    "header-required": Rule(
        Level.ERROR,
        "An argument is a header of the request too (`x-mcp-header`). Clients that hold the old "
        "schema do not send it, and calls over HTTP are refused (MCP 2026-07-28).",
        "Add another argument with the header.",
    ),
    "task-support-changed": Rule(
        Level.ERROR,
        "Calls as a task are refused now, or calls that are no task.",
        "Make task support optional.",
    ),
    "error-removed": Rule(
        Level.WARNING,
        "A tool no longer raises an error that callers may handle.",
        "Keep the error as long as callers may depend on it.",
    ),
    "error-added": Rule(Level.INFO, "A tool may raise another error.", ""),
    "error-message-changed": Rule(
        Level.WARNING,
        "An error has another message. The message is all that callers can tell errors apart by.",
        "Keep the beginning of the message.",
    ),
    "resource-removed": Rule(
        Level.ERROR,
        "A resource is gone or has another URI. Saved addresses fail.",
        "Keep the URI.",
    ),
    "resource-added": Rule(Level.INFO, "A resource is new.", ""),
    "template-changed": Rule(
        Level.ERROR,
        "A resource template is gone or has another URI template. Saved addresses fail.",
        "Keep the URI template.",
    ),
    "template-added": Rule(Level.INFO, "A resource template is new.", ""),
    "mime-type-changed": Rule(
        Level.ERROR,
        "A resource has another media type. Clients choose by it how to read the content.",
        "Keep the media type, or offer another resource.",
    ),
    "prompt-removed": Rule(
        Level.ERROR,
        "A prompt is gone or has another name. Saved prompts fail.",
        "Keep the prompt.",
    ),
    "prompt-added": Rule(Level.INFO, "A prompt is new.", ""),
    "prompt-argument-required": Rule(
        Level.ERROR,
        "A prompt without this argument was accepted, and is refused now.",
        "Make the argument optional.",
    ),
    "prompt-argument-removed": Rule(
        Level.WARNING,
        "A prompt no longer has an argument, and ignores it.",
        "Keep the argument.",
    ),
    "prompt-argument-added": Rule(Level.INFO, "A prompt has another optional argument.", ""),
    "server-renamed": Rule(
        Level.ERROR,
        "The server has another name, and so have its package and its command. Configurations and "
        "permissions use the old one.",
        "Keep the name, and change the title.",
    ),
    "backend-changed": Rule(
        Level.WARNING,
        "Calls are passed on to another API or server, with other credentials, or as another "
        "request, so that the same call may do something else, or fail.",
        "Keep the request, or add a tool for the new one.",
    ),
    "distribution-removed": Rule(
        Level.ERROR,
        "The server is gone from an address to which clients connect. If it is only no longer "
        "published as a package or under its name in the registry, people get no updates, and the "
        "level is a warning.",
        "Keep the address, the package and the namespace.",
    ),
    "transport-removed": Rule(
        Level.ERROR,
        "Clients cannot connect in this way any more.",
        "Keep the transport.",
    ),
    "transport-added": Rule(Level.INFO, "Clients can connect in another way.", ""),
    "transport-default-changed": Rule(
        Level.WARNING,
        "Without options, the server starts with another transport.",
        "Keep the first transport, and add others after it.",
    ),
    "address-changed": Rule(
        Level.WARNING,
        "By default, the server listens at another address.",
        "Keep the host and the port.",
    ),
    "auth-required": Rule(
        Level.ERROR,
        "Clients without a token are refused now.",
        "Offer the protected server as a separate deployment.",
    ),
    "auth-changed": Rule(
        Level.ERROR,
        "The token is read from another variable, so that deployments have none.",
        "Keep the variable.",
    ),
    "auth-removed": Rule(
        Level.WARNING,
        "The server no longer asks for a token, although it may be deployed in the open.",
        "Keep the authentication.",
    ),
    "variable-required": Rule(
        Level.ERROR,
        "The server does not start without this variable, which deployments do not set.",
        "Give the variable a default.",
    ),
    "variable-changed": Rule(
        Level.ERROR,
        "The value of a variable is read as another type, so that old values may be refused.",
        "Add a variable of the new type.",
    ),
    "variable-default-changed": Rule(
        Level.WARNING,
        "Deployments that do not set the variable behave differently.",
        "Keep the default.",
    ),
    "variable-removed": Rule(
        Level.WARNING,
        "Deployments set a variable that has no effect any more.",
        "Keep the variable, or say in the changelog that it is gone.",
    ),
    "variable-added": Rule(Level.INFO, "An optional variable is new.", ""),
    "capability-removed": Rule(
        Level.ERROR,
        "The server no longer announces a capability that clients use.",
        "Keep the capability.",
    ),
    "capability-added": Rule(Level.INFO, "The server announces another capability.", ""),
    "client-capability-required": Rule(
        Level.WARNING,
        "Handlers use a client capability that not all clients have.",
        "Let handlers work without it.",
    ),
    "description-changed": Rule(
        Level.INFO,
        "Models read another text, and may behave differently. Some clients ask for approval "
        "again.",
        "",
    ),
    "metadata-changed": Rule(
        Level.INFO,
        "Clients get other data about an entry, such as its icons, its size or `_meta`.",
        "",
    ),
    "budget-exceeded": Rule(
        Level.WARNING,
        "The list of tools needs over 10 percent more tokens, at least 250, in each conversation.",
        "Shorten descriptions, or move definitions that occur twice to `$defs`.",
    ),
    "version-not-raised": Rule(
        Level.ERROR,
        "The changes break callers, and the version does not say so. It needs a larger first number; "
        "below 1.0, a larger second one.",
        "Raise the version in the spec.",
    ),
    "acceptance-unused": Rule(
        Level.ERROR,
        "An entry of `breaking.accept` in the spec matches no finding, so that it would hide a "
        "later one.",
        "Remove the entry, or correct its `id` or `where`.",
    ),
    "acceptance-expired": Rule(
        Level.ERROR,
        "The last day of an entry of `breaking.accept` is over.",
        "Undo the change that it accepted, or write a later day.",
    ),
    "spec-added": Rule(
        Level.INFO,
        "The spec is new, so that there is nothing to compare: the revision has no such file, nor "
        "one that was renamed to it. Without `--allow-new`, this is the error `no-baseline`.",
        "",
    ),
    "baseline-partial": Rule(
        Level.WARNING,
        "A part of the tool list that is the baseline is not valid, so that it is not compared.",
        "Compare with a spec, or with a list of a later version.",
    ),
}
"""All rules by id."""


def made(id: str, kind: str, subject: str, where: str, message: str, **more: Any) -> Change:
    """Return a change by a rule, of its usual level if no other is given."""
    level = more.pop("level", RULES[id].level)
    return Change(
        id=id, level=level, where=where, kind=kind, subject=subject, message=message, **more
    )
