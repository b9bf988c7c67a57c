"""Compare the resources, resource templates and prompts of two specs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scaffold.breaking.change import Change
from scaffold.breaking.rules import RULES
from scaffold.diagnostics.wording import quote
from scaffold.spec.format import Prompt, Resource, ResourceTemplate


def resource_changes(old: Resource | None, new: Resource | None) -> Iterator[Change]:
    """Yield what changes for readers of a resource."""
    if new is None:
        if old is not None:
            message = f"resource {quote(old.uri)} is gone"
            yield _change(
                "resource-removed", "resource", old.uri, old.pointer, message, is_gone=True
            )
        return
    if old is None:
        message = f"resource {quote(new.uri)} is new"
        yield _change("resource-added", "resource", new.uri, f"{new.pointer}/uri", message)
        return
    if old.uri != new.uri:
        message = f"resource {quote(old.uri)} has the URI {quote(new.uri)} now"
        yield _change("resource-removed", "resource", old.uri, f"{new.pointer}/uri", message)
    yield from _media_type(old, new, "resource", new.uri)
    yield from _texts(old, new, "resource", new.uri)


def template_changes(
    old: ResourceTemplate | None, new: ResourceTemplate | None
) -> Iterator[Change]:
    """Yield what changes for readers of the resources of a template."""
    kind = "resource template"
    if new is None:
        if old is not None:
            address = old.uri_template
            message = f"resource template {quote(address)} is gone"
            yield _change("template-changed", kind, address, old.pointer, message, is_gone=True)
        return
    address = new.uri_template
    at = f"{new.pointer}/uriTemplate"
    if old is None:
        message = f"resource template {quote(address)} is new"
        yield _change("template-added", kind, address, at, message)
        return
    if old.uri_template != address:
        message = f"resource template {quote(old.uri_template)} is {quote(address)} now"
        yield _change("template-changed", kind, old.uri_template, at, message)
    if old.unsafe and not new.unsafe:
        message = (
            f"resource template {quote(address)} refuses variables with `..` and absolute paths"
        )
        yield _change("template-changed", kind, address, new.pointer, message)
    yield from _media_type(old, new, kind, address)
    yield from _texts(old, new, kind, address)


def prompt_changes(old: Prompt | None, new: Prompt | None) -> Iterator[Change]:
    """Yield what changes for users of a prompt."""
    if new is None:
        if old is not None:
            message = f"prompt {quote(old.name)} is gone"
            yield _change("prompt-removed", "prompt", old.name, old.pointer, message, is_gone=True)
        return
    at = f"{new.pointer}/name"
    if old is None:
        yield _change("prompt-added", "prompt", new.name, at, f"prompt {quote(new.name)} is new")
        return
    if old.name != new.name:
        message = f"prompt {quote(old.name)} is called {quote(new.name)} now"
        yield _change("prompt-removed", "prompt", old.name, at, message)
    yield from _arguments(old, new)
    yield from _texts(old, new, "prompt", new.name)


def _arguments(old: Prompt, new: Prompt) -> Iterator[Change]:
    before = {one.name: one for one in old.arguments}
    for place, one in enumerate(new.arguments):
        was = before.pop(one.name, None)
        at = f"{new.pointer}/arguments/{place}"
        argument = f"argument {quote(one.name)} of prompt {quote(new.name)}"
        if one.required and not (was and was.required):
            message = f"{argument} is required now"
            yield _change("prompt-argument-required", "prompt", new.name, at, message)
        elif was is None:
            yield _change("prompt-argument-added", "prompt", new.name, at, f"{argument} is new")
    for name in before:
        place = next(n for n, one in enumerate(old.arguments) if one.name == name)
        at = f"{old.pointer}/arguments/{place}"
        message = f"argument {quote(name)} of prompt {quote(new.name)} is gone, and is ignored"
        yield _change("prompt-argument-removed", "prompt", new.name, at, message, is_gone=True)


def _media_type(
    old: Resource | ResourceTemplate, new: Resource | ResourceTemplate, kind: str, subject: str
) -> Iterator[Change]:
    if old.mime_type and old.mime_type != new.mime_type:
        now = quote(new.mime_type) if new.mime_type else "none"
        message = f"the media type of {kind} {quote(subject)} is {now} now, and was "
        message += quote(old.mime_type)
        at = f"{new.pointer}/mimeType" if new.mime_type else new.pointer
        yield _change("mime-type-changed", kind, subject, at, message)


def _texts(old: Any, new: Any, kind: str, subject: str) -> Iterator[Change]:
    if (old.title, old.description) != (new.title, new.description):
        at = f"{new.pointer}/description" if new.description else new.pointer
        message = f"{kind} {quote(subject)} is described differently"
        yield _change("description-changed", kind, subject, at, message)


def _change(id: str, kind: str, subject: str, where: str, message: str, **more: Any) -> Change:
    return Change(
        id=id,
        level=RULES[id].level,
        where=where,
        kind=kind,
        subject=subject,
        message=message,
        **more,
    )
