"""Check that each handler has exactly one key, and refers to existing parts of the spec."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scaffold.base.diagnostics.wording import did_you_mean, join, quote
from scaffold.base.secrets import holds_credential
from scaffold.format.draft import Draft
from scaffold.format.handler import Upstream, variables
from scaffold.format.http_handler import (
    HEADER,
    STYLES,
    Api,
    Credential,
    HttpHandler,
    HttpResponse,
    is_json,
)
from scaffold.format.placeholders import BRACES, read_names
from scaffold.format.rules.settings import undeclared
from scaffold.format.selection import names
from scaffold.format.settings import ValueType
from scaffold.format.spec import Tool, Variable
from scaffold.schema.types import types_of
from scaffold.yaml.document import pointer
from scaffold.yaml.finding import Finding

_WEB = ("transport", "headers")
_PROGRAM = ("args", "env")
_BY_NAME = ("header", "query", "cookie")
_KEYS = {"forward": ("header",), "oauth2": ("tokenUrl", "clientId", "clientSecret")}
"""The keys of credentials that are in no variable of their own."""
_VALUES = {"env": "VARIABLE", "header": "Authorization"}
_OF_CONNECTIONS = frozenset({
    "accept", "connection", "content-length", "content-type", "cookie", "forwarded", "host",
    "origin", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
})  # fmt: skip
"""Headers that are no credentials, or, as cookies, those of other sites too."""


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield findings for handlers with none or several keys, and for unknown names in them."""
    upstream, api = draft.spec.upstream, draft.spec.api
    if upstream:
        yield from _upstream_faults(draft, upstream)
    if api:
        yield from _api_faults(draft, api)
    for tool in draft.spec.tools:
        if tool.handler and tool.handler.http:
            yield from _http_faults(draft, tool, tool.handler.http)
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
        yield from _header_faults("/upstream" + pointer("headers", name), name, at_key=True)
    known = {variable.name: variable for variable in draft.spec.env}
    for path, text in upstream.texts:
        at = "/upstream" + pointer(*path)
        if holds_credential(text):
            message = "this looks like a password or token, and would be written to the project"
            hint = "put it in a variable, declare that in `env`, and write `${VARIABLE}`"
            yield Finding(at, "secret-default", message, hint)
        for name in variables(text):
            yield from undeclared(draft, name, at)
            if name not in known:
                continue
            if known[name].type not in (ValueType.STRING, ValueType.URL):
                message = f"`{name}` has the type `{known[name].type}`, but must be a string here"
                yield Finding(at, "bad-handler", message, "give it the type `string` in `env`")
            elif _is_optional(known[name]):
                message = f"`{name}` is optional, but `upstream` needs it"
                yield Finding(at, "bad-handler", message, "give it a default, or require it")


def _api_faults(draft: Draft, api: Api) -> Iterator[Finding]:
    """Yield variables and names that credentials lack."""
    strings = [variable.name for variable in draft.spec.env if variable.type == ValueType.STRING]
    yield from undeclared(draft, api.url.env, "/api/url/env")
    for number, credential in enumerate(api.credentials):
        at = f"/api/credentials/{number}"
        for path, variable in credential.variables:
            missing = [*undeclared(draft, variable, f"{at}/{path}")]
            yield from missing
            is_lost = missing or "/env" in draft.lost or path == "tokenUrl/env"
            if not is_lost and variable not in strings:
                message = f"`{variable}` is a credential, and must be a string"
                yield Finding(f"{at}/{path}", "bad-handler", message, "remove its `type`")
        yield from _key_faults(credential, at)
        if credential.type == "forward":
            yield from _forward_faults(draft, credential, at)
        elif credential.type in _BY_NAME and credential.name is None:
            message = f"a credential in a {credential.type} needs a name"
            yield Finding(at, "bad-handler", message, "add `name: X-Api-Key`")
        elif credential.type != "query":
            yield from _header_faults(f"{at}/name", credential.name or "name")
    grants = [n for n, credential in enumerate(api.credentials) if credential.type == "oauth2"]
    for number in grants[1:]:
        message, hint = "there is another credential of the type `oauth2`", "keep one of them"
        yield Finding(f"/api/credentials/{number}/type", "bad-handler", message, hint)


def _key_faults(credential: Credential, at: str) -> Iterator[Finding]:
    """Yield keys that a credential of its type lacks, and those of other types."""
    fields = type(credential).model_fields
    given = [fields[n].alias or n for n in fields if n in credential.model_fields_set]
    needed = _KEYS.get(credential.type, ("env",))
    for key in needed:
        if key not in given:
            message = f"a credential of the type `{credential.type}` needs `{key}`"
            hint = f"add `{key}: {_VALUES.get(key, '{env: VARIABLE}')}`"
            yield Finding(at, "bad-handler", message, hint)
    allowed = {"type", "name", *needed, *(("scope",) if credential.type == "oauth2" else ())}
    for key in given:
        if key not in allowed:
            message = f"`{key}` is not a key of the type `{credential.type}`"
            yield Finding(f"{at}/{key}", "bad-handler", message, "remove it", at_key=True)


def _forward_faults(draft: Draft, credential: Credential, at: str) -> Iterator[Finding]:
    """Yield headers that no caller has, or that are not for the API."""
    header = (credential.header or "x").lower()
    yield from _header_faults(f"{at}/header", header)
    if "stdio" in draft.spec.transports:
        message = "over `stdio` there is no caller whose header could be passed on"
        hint = "write `transports: [streamable-http]`, or a credential with `env`"
        yield Finding(f"{at}/type", "bad-handler", message, hint)
    if header in _OF_CONNECTIONS or header.startswith("mcp-"):
        message = f"`{credential.header}` is about the connection, and no credential"
        yield Finding(f"{at}/header", "bad-handler", message, "name the header of a token or key")
    elif header == "authorization" and draft.spec.auth:
        message = "with `auth`, `Authorization` has the token of this server, not of the API"
        hint = "forward another header, or let the server get a token: `type: oauth2`"
        yield Finding(f"{at}/header", "bad-handler", message, hint)


def _http_faults(draft: Draft, tool: Tool, http: HttpHandler) -> Iterator[Finding]:
    """Yield findings for unknown names in an HTTP handler."""
    at, api = f"{tool.pointer}/handler/http", draft.spec.api
    if api is None and "/api" not in draft.lost:
        message, hint = "the spec has no API to call", "add `api: {url: {env: …}}` at the root"
        yield Finding(at, "bad-handler", message, hint, at_key=True)
    if http.url:
        where, name = f"{at}/url/env", http.url.env
        yield from undeclared(draft, name, where)
        if any(variable.name == name and _is_optional(variable) for variable in draft.spec.env):
            message = f"`{name}` is optional, but is the address of this request"
            yield Finding(where, "bad-handler", message, "give it a default, or require it")
    yield from _request_faults(tool, http, at)
    if api:
        yield from _credential_faults(http, api, at)
    yield from _error_faults(tool, http, at, draft)


def _is_optional(variable: Variable) -> bool:
    return not variable.required and variable.default is None


def _request_faults(tool: Tool, http: HttpHandler, at: str) -> Iterator[Finding]:
    """Yield arguments and results that the schemas of the tool do not have."""
    members = {parameter.name: parameter for parameter in tool.arguments.members}
    names = list(members)
    in_path, broken = read_names(http.path)
    if broken:
        yield Finding(f"{at}/path", "bad-placeholder", broken, BRACES)
        return
    for name in in_path:
        if name not in members:
            yield _unknown(f"{at}/path", name, names)
        elif not members[name].required:
            message = f"{quote(name)} is in the path, and must be required"
            hint = "add it to `required` in `inputSchema`"
            yield Finding(f"{at}/path", "bad-handler", message, hint)
    used: list[tuple[str, str]] = []
    for number, parameter in enumerate(http.parameters):
        here, source, place = f"{at}/parameters/{number}", parameter.source, parameter.place
        used.append((f"{here}/{'name' if parameter.argument is None else 'argument'}", source))
        if place in ("header", "cookie"):
            yield from _header_faults(f"{here}/name", parameter.name)
        if place == "path" and source in members and source not in in_path:
            message = f"{quote(source)} is not in the path"
            hint = f"write `{{{source}}}` where it belongs"
            yield Finding(here, "bad-handler", message, hint)
        if parameter.style and parameter.style not in STYLES[place]:
            message = f"the style `{parameter.style}` is not allowed in a {place}"
            hint = f"choose one of {', '.join(f'`{style}`' for style in STYLES[place])}"
            yield Finding(f"{here}/style", "bad-handler", message, hint)
    if body := http.body:
        here = f"{at}/body"
        if body.argument is not None:
            used.append((f"{here}/argument", body.argument))
        else:
            used += [(here + pointer("rename", name), name) for name in body.rename]
            used += [(f"{here}/files/{number}", name) for number, name in enumerate(body.files)]
            used += [(here + pointer("filenames", file), n) for file, n in body.filenames.items()]
            used += [(f"{here}/deep/{number}", name) for number, name in enumerate(body.deep)]
            used += [(f"{here}/joined/{number}", name) for number, name in enumerate(body.joined)]
            used += [(here + pointer("types", name), name) for name in body.types]
        for file in body.filenames:
            if file not in body.files:
                message = f"{quote(file)} is not one of the `files`"
                where, hint = here + pointer("filenames", file), "add it to `files`"
                yield Finding(where, "bad-handler", message, hint, at_key=True)
    for where, name in used:
        if name not in members:
            yield _unknown(where, name, names)
    if http.response and http.response.excerpt:
        yield from _excerpt_faults(tool, http.response, f"{at}/response")
    if http.response and http.response.key is not None:
        results = [parameter.name for parameter in tool.result.members] if tool.result else []
        if http.response.key not in results:
            message = f"{quote(http.response.key)} is not in the `outputSchema`"
            hint = did_you_mean(http.response.key, results, "add it to its `properties`")
            yield Finding(f"{at}/response/property", "unknown-result", message, hint)


def _excerpt_faults(tool: Tool, response: HttpResponse, at: str) -> Iterator[Finding]:
    """Yield expressions that select nothing, and results that no part of a body can be."""
    word = "select" if response.select else "limit"
    if response.redirect or not is_json(response.media_type):
        hint = "remove it, or the other key"
        yield Finding(f"{at}/{word}", "bad-handler", "only JSON has parts", hint, at_key=True)
    if tool.result and "object" not in (
        types_of(tool.result.applied(tool.result.root)) or ("object",)
    ):
        message = "a part of a body needs an `outputSchema` with `type: object`"
        hint = "name the property that holds it: `property: result`"
        yield Finding(f"{at}/{word}", "bad-handler", message, hint, at_key=True)
    added: set[str] = set()
    for number, expression in enumerate(response.select):
        where = f"{at}/select/{number}"
        try:
            selected = names(expression)
        except ValueError as error:
            hint = "write `name`, `items[].name` or `{total: length(items)}`"
            yield Finding(where, "bad-handler", f"{quote(expression)} {error}", hint)
            continue
        if twice := next((name for name in selected if name in added), None):
            message = f"{quote(twice)} is selected twice"
            hint = "write one expression for it: `items[].{id: id, name: name}`"
            yield Finding(where, "bad-handler", message, hint)
        added |= {*selected}
    if response.select and response.key is None and tool.result:
        needed = (member.name for member in tool.result.members if member.required)
        if lost := [name for name in needed if name not in added]:
            message = f"it leaves out {join(lost, 'and')}, which `outputSchema` requires"
            hint = "select that too, or remove it from `required`"
            yield Finding(f"{at}/select", "bad-handler", message, hint, at_key=True)


def _credential_faults(http: HttpHandler, api: Api, at: str) -> Iterator[Finding]:
    """Yield credentials that the API does not have, and arguments in their places."""
    known = [credential.label for credential in api.credentials]
    for number, name in enumerate(http.credentials or ()):
        if name not in known:
            message = f"`{name}` is not one of the API's `credentials`"
            hint = did_you_mean(name, known, "add it to `credentials` of `api`")
            yield Finding(f"{at}/credentials/{number}", "unknown-variable", message, hint)
    taken = {credential.place for credential in api.credentials}
    for number, parameter in enumerate(http.parameters):
        if (parameter.place, parameter.name.lower()) in taken:
            where = f"{at}/parameters/{number}/name"
            message = f"{quote(parameter.name)} in the {parameter.place} is a credential"
            yield Finding(where, "bad-handler", message, "remove the parameter, or the credential")


def _header_faults(at: str, name: str, at_key: bool = False) -> Iterator[Finding]:
    if not HEADER.fullmatch(name):
        message = f"{quote(name)} cannot be the name of a header or a cookie"
        hint = "use letters, digits and dashes: `X-Api-Key`"
        yield Finding(at, "bad-handler", message, hint, at_key)


def _error_faults(tool: Tool, http: HttpHandler, at: str, draft: Draft) -> Iterator[Finding]:
    fields = {error.name: read_names(error.message)[0] for error in draft.spec.errors}
    for status, name in http.errors.items():
        where = at + pointer("errors", status)
        if not re.fullmatch(r"[45]([0-9][0-9]|XX)|default", status):
            message = f"{quote(status)} is not the status of an error"
            hint = "write `404`, `4XX` for all that begin with 4, or `default`"
            yield Finding(where, "bad-handler", message, hint, at_key=True)
        elif name not in tool.errors:
            message = f"{quote(name)} is not one of the tool's `errors`"
            hint = did_you_mean(name, list(tool.errors), f"add `errors: [{name}]` to the tool")
            yield Finding(where, "unknown-error", message, hint)
        elif {*fields.get(name, ())} - {"body"}:
            message = f"the message of {quote(name)} has fields that no response has"
            hint = "use an error whose message has no fields but `{body}`, the body of the response"
            yield Finding(where, "bad-handler", message, hint)


def _unknown(at: str, name: str, names: Sequence[str]) -> Finding:
    message = f"{quote(name)} is not an argument of this tool"
    hint = did_you_mean(name, list(names), "add it to `inputSchema`")
    return Finding(at, "unknown-argument", message, hint)
