"""Check that each handler answers in one way, and that the `upstream` of the spec can be reached."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.diagnostics.wording import did_you_mean, join
from scaffold.spec.api import HEADER
from scaffold.spec.draft import Draft
from scaffold.spec.settings import ValueType
from scaffold.spec.upstream import Upstream, variables
from scaffold.yaml.document import holds_credential, pointer
from scaffold.yaml.finding import Finding

_WEB = ("transport", "headers")
_PROGRAM = ("args", "env")


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield handlers with none or several keys, and what is wrong with `upstream`."""
    upstream = draft.spec.upstream
    if upstream:
        yield from _upstream_faults(draft, upstream)
    for entries in draft.spec.entries.values():
        for entry in entries:
            if (handler := entry.handler) is None:
                continue
            at = f"{entry.pointer}/handler"
            keys = type(handler).model_fields
            if len(handler.model_fields_set) != 1:
                message = f"a handler has one of {join(keys, 'and')}"
                yield Finding(at, "bad-handler", message, "keep one of them", at_key=True)
            if entry.is_static:
                message = "static content has no handler"
                yield Finding(at, "bad-handler", message, "remove one of them", at_key=True)
            if handler.proxy and upstream is None and "/upstream" not in draft.lost:
                message = "the spec has no server to pass calls on to"
                hint = "add `upstream: {command: …}` or `upstream: {url: …}` at the root"
                yield Finding(f"{at}/proxy", "bad-handler", message, hint, at_key=True)


def _upstream_faults(draft: Draft, upstream: Upstream) -> Iterator[Finding]:
    given = upstream.model_fields_set
    if (upstream.command is None) is (upstream.url is None):
        message, hint = "`upstream` needs either `command` or `url`", "write one of them"
        yield Finding("/upstream", "bad-handler", message, hint, at_key=True)
    else:
        key, other = ("url", _PROGRAM) if upstream.url is not None else ("command", _WEB)
        for name in other:
            if name in given:
                message = f"`{name}` cannot be combined with `{key}`"
                yield Finding(f"/upstream/{name}", "bad-handler", message, "remove it", at_key=True)
    for name in upstream.headers:
        if not HEADER.fullmatch(name):
            at, message = "/upstream" + pointer("headers", name), f"`{name}` is not a header"
            hint = "use letters, digits and dashes: `X-Api-Key`"
            yield Finding(at, "bad-handler", message, hint, at_key=True)
    known = {variable.name: variable for variable in draft.spec.env}
    for path, text in upstream.texts:
        at = "/upstream" + pointer(*path)
        if holds_credential(text):
            message = "this looks like a password or token, and would be written to the project"
            hint = "put it in a variable, declare that in `env`, and write `${VARIABLE}`"
            yield Finding(at, "secret-default", message, hint)
        for name in variables(text):
            if name not in known:
                if "/env" not in draft.lost:
                    message = f"`{name}` is not a variable in `env`"
                    hint = did_you_mean(name, known, f"add `- {{name: {name}}}` to `env`")
                    yield Finding(at, "unknown-variable", message, hint)
            elif known[name].type not in (ValueType.STRING, ValueType.URL):
                message = f"`{name}` has the type `{known[name].type}`, but must be a string here"
                yield Finding(at, "bad-handler", message, "give it the type `string` in `env`")
            elif not known[name].required and known[name].default is None:
                message = f"`{name}` is optional, but `upstream` needs it"
                yield Finding(at, "bad-handler", message, "give it a default, or require it")
