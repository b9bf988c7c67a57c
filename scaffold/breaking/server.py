"""Compare the settings of two specs: name, transports, authentication, variables, capabilities."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.breaking.change import Change, Level
from scaffold.breaking.rules import made
from scaffold.breaking.tools import tokens
from scaffold.diagnostics.wording import quote
from scaffold.spec.format import Spec, Transport, Variable
from scaffold.spec.settings import ValueType
from scaffold.yaml.document import pointer

_ANY_TEXT = (ValueType.STRING, ValueType.PATH, ValueType.LIST)
"""The types that any text can be read as."""
_GROWTH = 1.1
_LEAST_GROWTH = 250
_TEXTS = ("title", "description", "instructions")


def server_changes(old: Spec, new: Spec) -> Iterator[Change]:
    """Yield what changes in the settings of a server."""
    if old.name != new.name:
        message = f"server {quote(old.name)} is called {quote(new.name)} now"
        yield made("server-renamed", "server", new.name, "/name", message)
    yield from _transports(old, new)
    yield from _authentication(old, new)
    yield from _variables(old, new)
    yield from _capabilities(old, new)
    yield from _errors(old, new)
    yield from _cache(old, new)
    changed = [key for key in _TEXTS if getattr(old, key) != getattr(new, key)]
    if changed:
        message = f"the server's {' and '.join(changed)} changed"
        where = f"/{changed[0]}" if getattr(new, changed[0]) is not None else ""
        yield made("description-changed", "server", new.name, where, message)
    yield from _budget(old, new)


def _transports(old: Spec, new: Spec) -> Iterator[Change]:
    for place, one in enumerate(old.transports):
        if one not in new.transports:
            message = f"transport {quote(one)} is gone"
            at = f"/transports/{place}"
            yield made("transport-removed", "transport", one, at, message, is_gone=True)
    for place, one in enumerate(new.transports):
        if one not in old.transports:
            message = f"transport {quote(one)} is new"
            yield made("transport-added", "transport", one, f"/transports/{place}", message)
    first, now = old.transports[0], new.transports[0]
    if first != now and first in new.transports:
        message = f"the default transport is {quote(now)} now, and was {quote(first)}"
        yield made("transport-default-changed", "transport", now, "/transports/0", message)
    web = [one for one in old.transports if one in new.transports and one is not Transport.STDIO]
    addresses = [f"{spec.http.host}:{spec.http.port}" for spec in (old, new)]
    if web and addresses[0] != addresses[1]:
        message = f"the default address is {quote(addresses[1])} now, and was {quote(addresses[0])}"
        yield made("address-changed", "server", new.name, "/http", message)


def _authentication(old: Spec, new: Spec) -> Iterator[Change]:
    if old.auth and new.auth:
        was, now = old.auth.bearer.env, new.auth.bearer.env
        if was != now:
            message = f"the bearer token is read from {quote(now)} now, and was from {quote(was)}"
            yield made("auth-changed", "server", new.name, "/auth/bearer/env", message)
    elif new.auth:
        message = "clients need a bearer token now"
        yield made("auth-required", "server", new.name, "/auth", message)
    elif old.auth:
        message = "clients need no bearer token any more"
        yield made("auth-removed", "server", new.name, "/auth", message, is_gone=True)


def _variables(old: Spec, new: Spec) -> Iterator[Change]:
    before = {one.name: one for one in old.env}
    for one in new.env:
        was = before.pop(one.name, None)
        variable = f"variable {quote(one.name)}"
        at = f"{one.pointer}/name"
        if one.required and not (was and was.required):
            message = f"{variable} is required now"
            yield made("variable-required", "variable", one.name, at, message)
        elif was is None:
            yield made("variable-added", "variable", one.name, at, f"{variable} is new")
        if was is not None:
            yield from _variable(was, one, variable)
    for one in before.values():
        message = f"variable {quote(one.name)} is gone"
        yield made("variable-removed", "variable", one.name, one.pointer, message, is_gone=True)


def _variable(old: Variable, new: Variable, variable: str) -> Iterator[Change]:
    if old.type != new.type:
        widens = new.type in _ANY_TEXT or (
            (old.type, new.type) == (ValueType.INTEGER, ValueType.NUMBER)
        )
        message = f"{variable} is read as {quote(new.type)} now, and was as {quote(old.type)}"
        yield made(
            "variable-changed",
            "variable",
            new.name,
            f"{new.pointer}/type" if "type" in new.written else f"{new.pointer}/name",
            message,
            level=Level.WARNING if widens else Level.ERROR,
        )
    if old.default != new.default and not (old.required or new.required):
        # Its value may be a secret.
        fate = "no default any more" if new.default is None else "another default"
        message = f"{variable} has {fate}"
        at = f"{new.pointer}/{'name' if new.default is None else 'default'}"
        yield made("variable-default-changed", "variable", new.name, at, message)


def _capabilities(old: Spec, new: Spec) -> Iterator[Change]:
    before, now = _announced(old), _announced(new)
    for name in before:
        if name not in now:
            message = f"capability {quote(name)} is gone"
            at = f"/capabilities/{name.replace('.', '/')}"
            yield made("capability-removed", "capability", name, at, message, is_gone=True)
    for name in now:
        if name not in before:
            at = f"/capabilities/{name.replace('.', '/')}"
            message = f"capability {quote(name)} is new"
            yield made("capability-added", "capability", name, at, message)
    for name in ("elicitation", "sampling", "roots"):
        if getattr(new.client_capabilities, name) and not getattr(old.client_capabilities, name):
            message = f"handlers use the client capability {quote(name)} now"
            at = f"/clientCapabilities/{name}"
            yield made("client-capability-required", "capability", name, at, message)


def _announced(spec: Spec) -> tuple[str, ...]:
    own = spec.capabilities
    found = [name for name in ("logging", "completions") if getattr(own, name)]
    found += [
        f"{name}.listChanged"
        for name, one in (
            ("tools", own.tools),
            ("resources", own.resources),
            ("prompts", own.prompts),
        )
        if one and one.list_changed
    ]
    return (*found, *(["resources.subscribe"] if own.resources and own.resources.subscribe else ()))


def _errors(old: Spec, new: Spec) -> Iterator[Change]:
    now = {one.name: one for one in new.errors}
    raised = {name for tool in old.tools for name in tool.errors}
    for one in old.errors:
        here = now.get(one.name)
        if here is None and one.name not in raised:
            message = f"error {quote(one.name)} is gone"
            yield made("error-removed", "error", one.name, one.pointer, message, is_gone=True)
        elif here is not None and here.message != one.message:
            message = f"error {quote(one.name)} has another message"
            at = f"{here.pointer}/message"
            yield made("error-message-changed", "error", one.name, at, message)


def _cache(old: Spec, new: Spec) -> Iterator[Change]:
    before, now = ({m: hint.cache_scope for m, hint in one.cache.hints} for one in (old, new))
    for method in {**before, **now}:
        was, scope = (one.get(method, "private") for one in (before, now))
        if was != scope:
            id = "safety-lowered" if scope == "public" else "safety-raised"
            message = f"responses to {quote(method)} are cached as {scope} now, and were {was}"
            at = pointer("cache", method) if method in now else "/cache"
            yield made(id, "server", new.name, at, message)


def _budget(old: Spec, new: Spec) -> Iterator[Change]:
    before, now = (sum(map(tokens, spec.tools)) for spec in (old, new))
    if before and now > before * _GROWTH and now - before >= _LEAST_GROWTH:
        message = f"the list of tools takes about {now:,} tokens now, and took {before:,}"
        yield made("budget-exceeded", "server", new.name, "/tools", message)
