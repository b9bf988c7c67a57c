"""Check the server's settings: its variables and secrets, transports, capabilities and packages."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import urlsplit

from scaffold.base.diagnostics.explain import sections, warnings
from scaffold.base.diagnostics.wording import did_you_mean, quote
from scaffold.base.secrets import holds_credential
from scaffold.editing.fixes import replaced
from scaffold.format.draft import Draft
from scaffold.format.publish import Package
from scaffold.format.settings import ValueType
from scaffold.format.spec import Spec, Transport, Variable
from scaffold.yaml.document import pointer
from scaffold.yaml.finding import Finding

_LOADS_CODE = re.compile(
    r"PATH|PATHEXT|COMSPEC|IFS|BASH_ENV|SHELLOPTS|PROMPT_COMMAND|LD_.*|DYLD_.*|GCONV_PATH"
    r"|PYTHON(PATH|HOME|STARTUP|USERBASE|EXECUTABLE|BREAKPOINT|WARNINGS|PYCACHEPREFIX|PLATLIBDIR)"
    r"|NODE_OPTIONS|NODE_PATH|NPM_CONFIG_.*|UV_.*|PIP_.*|PERL5LIB|PERL5OPT|RUBYOPT|RUBYLIB"
    r"|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GIT_SSH.*|GIT_EXEC_PATH",
    re.IGNORECASE,
)
"""Variables that control which code runs, and would affect the server's launcher."""

_BOOLEANS = ("true", "yes", "on", "1", "false", "no", "off", "0")
_CHECKS: Mapping[ValueType, tuple[Callable[[str], object], str]] = {
    ValueType.INTEGER: (int, "a whole number"),
    ValueType.NUMBER: (lambda text: math.isfinite(float(text)), "a number"),
    ValueType.BOOLEAN: (lambda text: text.lower() in _BOOLEANS, "`true` or `false`"),
    ValueType.URL: (lambda text: all(urlsplit(text)[:2]), "a URL"),
}
"""Checks of values by type, as generated settings do them: False or a ValueError rejects."""


_OPTIONS = ("CALL_TIME", "GRACE_TIME", "LOG_LEVEL", "MESSAGE_SIZE", "THREADS", "TRANSPORT")
_WEB_OPTIONS = (
    "ALLOW_UNAUTHENTICATED",
    "ALLOWED_HOSTS",
    "FORWARDED_ALLOW_IPS",
    "HOST",
    "PORT",
    "ROOT_PATH",
    "STATELESS",
)
_CHOICES = ("TOOLSETS", "TOOLS", "READ_ONLY")
"""What the server reads from variables with its name in front, as `runtime/command.py` says."""


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield settings without effect, and names that the spec does not declare."""
    yield from _variable_faults(draft)
    yield from _auth_faults(draft)
    for key, shared in draft.spec.replicas or ():
        if shared:
            at = f"/replicas/{'stateKeys' if key == 'state_keys' else key}/env"
            yield from undeclared(draft, shared.env, at, ", secret: true, required: false")
    yield from _capability_faults(draft)
    yield from _publish_faults(draft)
    yield from _toolset_faults(draft)
    for number, id in enumerate(draft.spec.lint.ignore):
        if id not in warnings():
            known = "an error, and cannot be ignored" if id in sections() else "not a warning"
            message = f"{quote(id)} is {known}"
            hint = did_you_mean(id, sorted(warnings()), "copy the id in brackets from a warning")
            yield Finding(f"/lint/ignore/{number}", "unknown-warning", message, hint)


def _variable_faults(draft: Draft) -> Iterator[Finding]:
    """Yield variables that control which code runs or have two meanings, and wrong defaults."""
    prefix = draft.spec.name.upper().replace("-", "_")
    options = {*_OPTIONS, *(_CHOICES if draft.spec.toolsets else ())}
    options |= {*(_WEB_OPTIONS if {*draft.spec.transports} - {"stdio"} else ())}
    options |= {*(["ALLOWED_ORIGINS"] if draft.spec.http.allowed_origins is not None else ())}
    share = ("CLIENT_CALLS", "CLIENT_CALLS_PER_MINUTE")
    options |= {*(share if draft.spec.http.share is not None else ())}
    options |= {*(["UPSTREAM"] if draft.spec.upstream else ())}
    options |= {*(["LOG_FORMAT"] if draft.spec.telemetry or draft.spec.log else ())}
    options |= {"TASKS"} if any(tool.task for tool in draft.spec.tools) else set()
    own = {f"{prefix}_{option}" for option in options}
    for variable in draft.spec.env:
        name, at = variable.name, f"{variable.pointer}/default"
        if name in own:
            message = f"the server reads `{name}` itself, as one of its options"
            yield Finding(f"{variable.pointer}/name", "taken-variable", message, "rename it")
        if loads_code(name):
            message = f"`{name}` controls which code runs, and cannot be a setting of the server"
            hint = f"use the server's own name, such as `{prefix}_{name.upper().strip('_')}`"
            yield Finding(f"{variable.pointer}/name", "dangerous-variable", message, hint)
        if variable.default is None:
            continue
        if _is_secret(variable, draft.spec):
            message = "a secret cannot have a default: it would be written to the project"
            hint = "remove `default`, and set the value where the server is started"
            yield Finding(at, "secret-default", message, hint, at_key=True)
        elif holds_credential(variable.default):
            message = "this looks like a password or token, and would be written to the project"
            hint = "remove `default`, and add `secret: true`"
            yield Finding(at, "secret-default", message, hint, at_key=True)
        elif (check := _CHECKS.get(variable.type)) and not _passes(check[0], variable.default):
            message = f"the default must be {check[1]}, not {quote(variable.default)}"
            yield Finding(at, "bad-default", message, "correct the default, or change `type`")


def undeclared(draft: Draft, name: str, at: str, keys: str = "") -> Iterator[Finding]:
    """Yield the finding for a variable that a pointer names and `env` lacks.

    `keys` are further keys of the entry that the hint proposes.
    """
    known = [variable.name for variable in draft.spec.env]
    if name not in known and "/env" not in draft.lost:
        hint = did_you_mean(name, known, f"add `- {{name: {name}{keys}}}` to `env`")
        yield Finding(at, "unknown-variable", f"`{name}` is not a variable in `env`", hint)


def loads_code(name: str) -> bool:
    """Return whether a variable controls which code runs."""
    return bool(_LOADS_CODE.fullmatch(name))


def _passes(check: Callable[[str], object], text: str) -> bool:
    """Return whether a check accepts a text: it neither raises ValueError nor returns False."""
    try:
        return check(text.strip()) is not False
    except ValueError:
        return False


def _is_secret(variable: Variable, spec: Spec) -> bool:
    """Return whether a variable is declared secret, or holds the bearer token or keys."""
    keys = spec.replicas and spec.replicas.state_keys
    used = {spec.auth and spec.auth.token, keys and keys.env}
    return variable.secret or variable.name in used


def _auth_faults(draft: Draft) -> Iterator[Finding]:
    """Yield findings for authentication that cannot work, or would protect nothing."""
    spec = draft.spec
    if any(at.startswith("/auth") for at in draft.lost):
        return
    for tool in spec.tools if spec.auth is None or spec.auth.oauth is None else ():
        if tool.scopes:
            message = f"nothing checks the scopes of {quote(tool.name)} without `auth.oauth`"
            hint = "add `auth: {oauth: {issuer: …, resource: {env: …}}}`, or remove `scopes`"
            yield Finding(f"{tool.pointer}/scopes", "bad-auth", message, hint, at_key=True)
    if spec.auth is None:
        return
    origins = spec.http.allowed_origins or ()
    if spec.auth.bearer and "*" in origins:
        message = "with `*`, all sites may call, but one token for all users is no secret in a page"
        hint = "list the sites, or use `oauth`"
        at = f"/http/allowedOrigins/{origins.index('*')}"
        yield Finding(at, "bad-auth", message, hint)
    if set(spec.transports) == {Transport.STDIO} and "/transports" not in draft.lost:
        message = "`auth` protects HTTP, but the server has no HTTP transport"
        hint = "add `streamable-http` to `transports`, or remove `auth`"
        yield Finding("/auth", "auth-without-http", message, hint, at_key=True)
    if len(spec.auth.model_fields_set) != 1:
        message = "`auth` has one of `bearer` and `oauth`"
        yield Finding("/auth", "bad-auth", message, "keep one of them", at_key=True)
    if spec.auth.bearer:
        keys = ", secret: true, required: false"
        yield from undeclared(draft, spec.auth.bearer.env, "/auth/bearer/env", keys)
    if spec.auth.oauth:
        at, keys = "/auth/oauth/resource/env", ", type: url, required: false"
        yield from undeclared(draft, spec.auth.oauth.resource.env, at, keys)
    if spec.auth.oauth and Transport.SSE in spec.transports:
        message = "clients that use SSE cannot log in with OAuth"
        hint = "remove `sse`, or use `bearer`"
        at = f"/transports/{spec.transports.index(Transport.SSE)}"
        yield Finding(at, "bad-auth", message, hint)


def _publish_faults(draft: Draft) -> Iterator[Finding]:
    """Yield packages that lack what they need, and patches of what the spec says elsewhere."""
    publish = draft.spec.publish
    for document in ("server", "manifest"):
        for key in ("$schema", "manifest_version", "name", "version"):
            if key in ((getattr(publish, document) if publish else None) or {}):
                at, message = f"/publish/{document}/{key}", f"`{key}` is always generated"
                yield Finding(at, "unpublishable", message, "remove it", at_key=True)
    for number, package in enumerate((publish.packages or ()) if publish else ()):
        assert publish
        at = f"/publish/packages/{number}"
        if package is Package.OCI and publish.image is None:
            hint = "add `image: HOST/OWNER/NAME` to `publish`"
            yield Finding(at, "unpublishable", "the image has no name", hint)
        if package is Package.MCPB and publish.repository_of(draft.spec.name) is None:
            message = "a bundle is published in a release of a repository, which has no address"
            hint = "add `repository: https://github.com/OWNER/NAME` to `publish`"
            yield Finding(at, "unpublishable", message, hint)
        if package is Package.MCPB and Transport.STDIO not in draft.spec.transports:
            message = "clients start a bundle over stdio, which the server does not support"
            hint = "add `stdio` to `transports`, or remove `mcpb`"
            yield Finding(at, "unpublishable", message, hint)


def _toolset_faults(draft: Draft) -> Iterator[Finding]:
    """Yield tools in toolsets that the spec does not have."""
    names = {tool.name for tool in draft.spec.tools}
    renamed = {tool.renamed_from: tool.name for tool in draft.spec.tools}
    if "/tools" in draft.lost:
        return
    for toolset, content in draft.spec.toolsets.items():
        for number, name in enumerate(content.tools):
            if name not in names:
                at, new = pointer("toolsets", toolset, "tools", number), renamed.get(name)
                message = f"toolset {quote(toolset)} has {quote(name)}, which is no tool"
                hint = f"it is called `{new}` now" if new else did_you_mean(name, sorted(names))
                fix = replaced(draft.document, at, new) if new else None
                yield Finding(at, "unknown-tool", message, hint or "write a tool's name", fix=fix)


def _capability_faults(draft: Draft) -> Iterator[Finding]:
    """Yield capabilities and cache hints for entries that the spec does not have."""
    spec = draft.spec
    has = {key for key, entries in spec.entries.items() if entries or f"/{key}" in draft.lost}
    if "resourceTemplates" in has:
        has.add("resources")
    for key in ("capabilities", "cache"):
        for name in spec.written.get(key, ()):
            kind = name.partition("/")[0]  # of a method, such as `tools/list`
            if kind in spec.entries and kind not in has:
                yield _unfounded(pointer(key, name), name, f"the server has no {kind}", kind)
    completed = any(prompt.arguments for prompt in spec.prompts)
    unknown = any(at.startswith("/prompts") for at in draft.lost)
    if spec.capabilities.completions and not (completed or unknown or "resourceTemplates" in has):
        at, reason = "/capabilities/completions", "no prompt arguments or resource templates"
        yield _unfounded(at, "completions", f"the server has {reason}", "resourceTemplates")


def _unfounded(at: str, name: str, reason: str, missing: str) -> Finding:
    message = f"`{name}` is declared, but {reason}"
    hint = f"add `{missing}:`, or remove `{name}`"
    return Finding(at, "unfounded-capability", message, hint, at_key=True)
