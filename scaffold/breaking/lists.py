"""Compare the resources, resource templates and prompts of two specs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from scaffold.breaking.backend import request_changes
from scaffold.breaking.change import Change
from scaffold.breaking.listing import listing_changes
from scaffold.breaking.rules import made
from scaffold.diagnostics.wording import quote
from scaffold.spec.format import Entry, Prompt, Resource, ResourceTemplate

_E = TypeVar("_E", Resource, ResourceTemplate, Prompt)


def resource_changes(old: Resource | None, new: Resource | None) -> Iterator[Change]:
    """Yield what changes for readers of a resource."""
    if new is None:
        if old is not None:
            message = f"resource {quote(old.uri)} is gone"
            yield made("resource-removed", "resource", old.uri, old.pointer, message, is_gone=True)
        return
    if old is None:
        message = f"resource {quote(new.uri)} is new"
        yield made("resource-added", "resource", new.uri, f"{new.pointer}/uri", message)
        return
    if old.uri != new.uri:
        message = f"resource {quote(old.uri)} has the URI {quote(new.uri)} now"
        yield made("resource-removed", "resource", old.uri, f"{new.pointer}/uri", message)
    yield from _media_type(old, new, "resource", new.uri)
    yield from _texts(old, new, "resource", new.uri)
    yield from listing_changes(old, new, "resource", new.uri)


def template_changes(
    old: ResourceTemplate | None, new: ResourceTemplate | None
) -> Iterator[Change]:
    """Yield what changes for readers of the resources of a template."""
    kind = "resource template"
    if new is None:
        if old is not None:
            address = old.uri_template
            message = f"resource template {quote(address)} is gone"
            yield made("template-changed", kind, address, old.pointer, message, is_gone=True)
        return
    address = new.uri_template
    at = f"{new.pointer}/uriTemplate"
    if old is None:
        message = f"resource template {quote(address)} is new"
        yield made("template-added", kind, address, at, message)
        return
    if old.uri_template != address:
        message = f"resource template {quote(old.uri_template)} is {quote(address)} now"
        yield made("template-changed", kind, old.uri_template, at, message)
    if old.unsafe and not new.unsafe:
        message = (
            f"resource template {quote(address)} refuses variables with `..` and absolute paths"
        )
        yield made("template-changed", kind, address, new.pointer, message)
    yield from _media_type(old, new, kind, address)
    yield from _texts(old, new, kind, address)
    yield from listing_changes(old, new, kind, address)


def prompt_changes(old: Prompt | None, new: Prompt | None) -> Iterator[Change]:
    """Yield what changes for users of a prompt."""
    if new is None:
        if old is not None:
            message = f"prompt {quote(old.name)} is gone"
            yield made("prompt-removed", "prompt", old.name, old.pointer, message, is_gone=True)
        return
    at = f"{new.pointer}/name"
    if old is None:
        yield made("prompt-added", "prompt", new.name, at, f"prompt {quote(new.name)} is new")
        return
    if old.name != new.name:
        message = f"prompt {quote(old.name)} is called {quote(new.name)} now"
        yield made("prompt-removed", "prompt", old.name, at, message)
    yield from _arguments(old, new)
    yield from _texts(old, new, "prompt", new.name)
    yield from listing_changes(old, new, "prompt", new.name)
    yield from request_changes(old, new)


def _arguments(old: Prompt, new: Prompt) -> Iterator[Change]:
    before = {one.name: one for one in old.arguments}
    for place, one in enumerate(new.arguments):
        was = before.pop(one.name, None)
        at = f"{new.pointer}/arguments/{place}"
        argument = f"argument {quote(one.name)} of prompt {quote(new.name)}"
        if one.required and not (was and was.required):
            message = f"{argument} is required now"
            yield made("prompt-argument-required", "prompt", new.name, at, message)
        elif was is None:
            yield made("prompt-argument-added", "prompt", new.name, at, f"{argument} is new")
    for name in before:
        place = next(n for n, one in enumerate(old.arguments) if one.name == name)
        at = f"{old.pointer}/arguments/{place}"
        message = f"argument {quote(name)} of prompt {quote(new.name)} is gone, and is ignored"
        yield made("prompt-argument-removed", "prompt", new.name, at, message, is_gone=True)


def _media_type(
    old: Resource | ResourceTemplate, new: Resource | ResourceTemplate, kind: str, subject: str
) -> Iterator[Change]:
    if old.mime_type and old.mime_type != new.mime_type:
        now = quote(new.mime_type) if new.mime_type else "none"
        message = f"the media type of {kind} {quote(subject)} is {now} now, and was "
        message += quote(old.mime_type)
        at = f"{new.pointer}/mimeType" if new.mime_type else new.pointer
        yield made("mime-type-changed", kind, subject, at, message)


def _texts(old: _E, new: _E, kind: str, subject: str) -> Iterator[Change]:
    if _said(old, new) != _said(new, old):
        at = f"{new.pointer}/description" if new.description else new.pointer
        message = f"{kind} {quote(subject)} is described differently"
        yield made("description-changed", kind, subject, at, message)


def _said(one: Entry, other: Entry) -> tuple[object, ...]:
    """Return the texts of an entry for models and people, as far as another can have them too."""
    texts: tuple[object, ...] = (one.title, one.description)
    if isinstance(one, Prompt) and isinstance(other, Prompt):
        both = {argument.name for argument in other.arguments}
        said = {(a.name, a.title, a.description) for a in one.arguments if a.name in both}
        texts += (said,)
        texts += (one.messages,) if other.messages is not None else ()
    return texts
