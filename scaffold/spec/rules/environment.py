"""Check that environment variables cannot change which code runs or contain secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold.spec.draft import Draft
from scaffold.spec.format import Spec, Variable
from scaffold.yaml.document import holds_credential
from scaffold.yaml.finding import Finding

_LOADS_CODE = re.compile(
    r"PATH|PATHEXT|COMSPEC|IFS|BASH_ENV|SHELLOPTS|PROMPT_COMMAND|LD_.*|DYLD_.*|GCONV_PATH"
    r"|PYTHON(PATH|HOME|STARTUP|USERBASE|EXECUTABLE|BREAKPOINT|WARNINGS|PYCACHEPREFIX|PLATLIBDIR)"
    r"|NODE_OPTIONS|NODE_PATH|NPM_CONFIG_.*|UV_.*|PIP_.*|PERL5LIB|PERL5OPT|RUBYOPT|RUBYLIB"
    r"|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|GIT_SSH.*|GIT_EXEC_PATH",
    re.IGNORECASE,
)
"""Variables that control which code runs, and would affect the server's launcher."""


def secrets(spec: Spec) -> list[str]:
    """Return pointers of defaults to mask in messages: secrets and likely credentials."""
    return [
        f"{variable.pointer}/default"
        for variable in spec.env
        if variable.default is not None
        and (_is_secret(variable, spec) or holds_credential(variable.default))
    ]


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield variables that control which code runs, and secrets with a default."""
    for variable in draft.spec.env:
        name, at = variable.name, f"{variable.pointer}/default"
        if _LOADS_CODE.fullmatch(name):
            prefix = draft.spec.name.upper().replace("-", "_")
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


def _is_secret(variable: Variable, spec: Spec) -> bool:
    """Return whether a variable is declared secret or holds the bearer token."""
    return variable.secret or (spec.auth is not None and variable.name == spec.auth.bearer.env)
