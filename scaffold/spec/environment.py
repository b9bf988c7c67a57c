"""Faults of what the server takes from outside: its variables, its secrets, its transports."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold.spec.document import Document, Json, holds_credential
from scaffold.spec.finding import Finding, nearest

_LOADS_CODE = re.compile(
    r"PATH|PATHEXT|COMSPEC|IFS|BASH_ENV|SHELLOPTS|PROMPT_COMMAND|LD_.*|DYLD_.*|GCONV_PATH"
    r"|PYTHON(PATH|HOME|STARTUP|USERBASE|EXECUTABLE|BREAKPOINT|WARNINGS|PYCACHEPREFIX|PLATLIBDIR)"
    r"|NODE_OPTIONS|NODE_PATH|NPM_CONFIG_.*|UV_.*|PIP_.*|PERL5LIB|PERL5OPT|RUBYOPT|RUBYLIB"
    r"|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GIT_SSH.*|GIT_EXEC_PATH",
    re.IGNORECASE,
)
"""Variables that decide which code runs; a server that sets them would change its own launcher."""


def secrets(document: Document) -> list[str]:
    """The pointers of the values that no message may show: defaults that are secret, or look so."""
    return [
        f"{at}/default"
        for at, variable in document.mappings("env")
        if "default" in variable
        and (_is_secret(variable, document) or _is_credential(variable["default"]))
    ]


def variable_faults(document: Document) -> Iterator[Finding]:
    """Variables that would change how programs load, and secrets that are written down."""
    for at, variable in document.mappings("env"):
        name, default = variable.get("name"), variable.get("default")
        if isinstance(name, str) and _LOADS_CODE.fullmatch(name):
            yield Finding(
                f"{at}/name",
                "dangerous-variable",
                f"`{name}` decides which code runs, and cannot be a setting of the server",
                "choose a name of the server's own, such as "
                f"`{_prefix(document)}{name.upper().strip('_')}`",
            )
        if _is_secret(variable, document) and "default" in variable:
            yield Finding(
                f"{at}/default",
                "secret-default",
                "a secret cannot have a default: it would be written into the project",
                "remove `default`, and give the value where the server is started",
                at_key=True,
            )
        elif _is_credential(default):
            yield Finding(
                f"{at}/default",
                "secret-default",
                "this default looks like a password or a token, and would be written into the "
                "project",
                "remove `default` and write `secret: true`",
                at_key=True,
            )


def transport_faults(document: Document) -> Iterator[Finding]:
    """Settings of HTTP that the transports and the variables do not bear out."""
    value = document.value
    if not isinstance(value, dict) or not isinstance(value.get("auth"), dict):
        return
    transports = value.get("transports", ["stdio"])
    if isinstance(transports, list) and not {"streamable-http", "sse"} & set(map(str, transports)):
        yield Finding(
            "/auth",
            "auth-without-http",
            "`auth` protects HTTP, and the server is not reached over HTTP",
            "add `streamable-http` to `transports`, or remove `auth`",
            at_key=True,
        )
    name = _bearer(document)
    known = [str(variable.get("name")) for _, variable in document.mappings("env")]
    if isinstance(name, str) and name not in known:
        meant = nearest(name, known)
        yield Finding(
            "/auth/bearer/env",
            "unknown-variable",
            f"`{name}` is not a variable of `env`",
            f"did you mean `{meant}`?"
            if meant
            else f"add `- {{name: {name}, secret: true, required: false}}` to `env`",
        )


def _bearer(document: Document) -> Json:
    """The name of the variable that holds the token of HTTP requests."""
    auth = document.value.get("auth") if isinstance(document.value, dict) else None
    bearer = auth.get("bearer") if isinstance(auth, dict) else None
    return bearer.get("env") if isinstance(bearer, dict) else None


def _is_secret(variable: dict[str, Json], document: Document) -> bool:
    """Whether a variable is said to be a secret, or holds the token of HTTP requests."""
    name = variable.get("name")
    return variable.get("secret") is True or (name is not None and name == _bearer(document))


def _is_credential(default: object) -> bool:
    return isinstance(default, str) and holds_credential(default)


def _prefix(document: Document) -> str:
    name = document.value.get("name") if isinstance(document.value, dict) else None
    return f"{name.upper().replace('-', '_')}_" if isinstance(name, str) else "SERVER_"
