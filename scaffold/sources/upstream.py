"""Turn the spec of a running server into that of a proxy, whose handlers pass on every call."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.diagnostics.wording import join
from scaffold.format.fields import JsonObject
from scaffold.format.handler import variables
from scaffold.format.rules.settings import loads_code
from scaffold.sources.secrets import secrets_in, without_secrets
from scaffold.sources.source import KINDS, Source


def proxied(source: Source, env: Sequence[str] = ()) -> Source:
    """Return the source with its server as `upstream`, and a `proxy` handler for each entry.

    `env` are the names of variables that its command needs. Raises ScaffoldError if the source is
    no running server.
    """
    if source.upstream is None:
        message = "the source is not a server that calls can be passed on to"
        hint = "`--proxy` is for a URL, `client:ID/NAME` or `-- COMMAND`"
        raise ScaffoldError.of("not-importable", message, source.name, hint)
    upstream = dict(source.upstream)
    given = dict.fromkeys([*upstream.pop("env", ()), *env])
    dangerous = [*filter(loads_code, given)]
    if passed := [name for name in given if name not in dangerous]:
        upstream["env"] = {name: f"${{{name}}}" for name in passed}
    if secrets := [*dict.fromkeys(secrets_in(upstream.get("args", ())))]:
        message = f"the value of {join(secrets, 'and')} would be written to the spec"
        hint = (
            "write `${NAME}` in its place, in the client's file"
            if source.name.startswith("client:")
            else "pass it in a variable with `--env NAME`, or write `'${NAME}'` in its place, "
            "in single quotes"
        )
        raise ScaffoldError.of("not-importable", message, source.name, hint)
    url = str(upstream.get("url", ""))
    if (shown := without_secrets(url)) != url:
        message = "a secret in the URL would be written to the spec"
        hint = f"write `'{shown}'`, in single quotes, and set {join(variables(shown), 'and')}"
        raise ScaffoldError.of("not-importable", message, source.name, hint)
    for name, value in upstream.get("headers", {}).items():
        if not variables(value):
            message = f"the value of the header `{name}` would be written to the spec"
            hint = f"put it in a variable: `--header '{name}: ${{TOKEN}}'`"
            raise ScaffoldError.of("bad-header", message, "--header", hint)
    spec = {key: value for key, value in source.spec.items() if key not in KINDS}
    notes = [*source.notes]
    if dangerous:
        what = join(dangerous, "and")
        notes.append(f"left out, since they control which code runs: {what}")
    if capabilities := spec.pop("capabilities", {}):
        kept = {key: value for key, value in capabilities.items() if key == "completions"}
        spec |= {"capabilities": kept} if kept else {}
        if lost := [key for key in capabilities if key not in kept]:
            what = join(lost, "and")
            notes.append(
                f"left out of the capabilities: {what}; changes and logs are not passed on"
            )
    if names := dict.fromkeys(_variables(upstream)):
        spec["env"] = [{"name": name, "secret": True} for name in names]
    spec["upstream"] = upstream
    for kind in KINDS:
        if kind in source.spec:
            spec[kind] = [{**entry, "handler": {"proxy": {}}} for entry in source.spec[kind]]
    return replace(source, spec=spec, notes=tuple(notes))


def _variables(upstream: JsonObject) -> Iterator[str]:
    """Yield the names of the variables in all texts."""
    for value in upstream.values():
        parts = value.values() if isinstance(value, Mapping) else value
        for text in [parts] if isinstance(parts, str) else parts:
            yield from variables(text)


def program(command: Sequence[str], env: Sequence[str] = ()) -> JsonObject:
    """Return a command as `Source.upstream`; `env` are the names of its own variables.

    Files are named by their absolute paths, since the server is started elsewhere.
    """
    first, *rest = command
    entry: dict[str, object] = {"command": _absolute(first) if os.sep in first else first}
    entry |= {"args": [*map(_absolute, rest)]} if rest else {}
    return {**entry, "env": env}


def _absolute(word: str) -> str:
    """Return a file, or a folder with a dot or a slash in its path, as its absolute path."""
    is_path = os.path.isfile(word) or (re.match(r"\.|.*/", word) and os.path.exists(word))
    return os.path.abspath(word) if is_path else word
