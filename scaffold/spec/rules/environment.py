"""Check that environment variables cannot change which code runs or contain secrets."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import urlsplit

from scaffold.base.diagnostics.wording import did_you_mean, quote
from scaffold.spec.draft import Draft
from scaffold.spec.format import Spec, Variable
from scaffold.spec.settings import ValueType
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

_BOOLEANS = ("true", "yes", "on", "1", "false", "no", "off", "0")
_CHECKS: Mapping[ValueType, tuple[Callable[[str], object], str]] = {
    ValueType.INTEGER: (int, "a whole number"),
    ValueType.NUMBER: (lambda text: math.isfinite(float(text)), "a number"),
    ValueType.BOOLEAN: (lambda text: text.lower() in _BOOLEANS, "`true` or `false`"),
    ValueType.URL: (lambda text: all(urlsplit(text)[:2]), "a URL"),
}
"""What generated settings accept of each type: false or a ValueError says no."""


_OPTIONS = ("CALL_TIME", "LOG_LEVEL", "MESSAGE_SIZE", "THREADS", "TRANSPORT")
_WEB_OPTIONS = ("ALLOW_UNAUTHENTICATED", "ALLOWED_HOSTS", "HOST", "PORT")
"""What the server reads from variables with its name in front, as `runtime/command.py` says."""


def secrets(spec: Spec) -> list[str]:
    """Return pointers of defaults to mask in messages: secrets and likely credentials."""
    return [
        f"{variable.pointer}/default"
        for variable in spec.env
        if variable.default is not None
        and (_is_secret(variable, spec) or holds_credential(variable.default))
    ]


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield variables that control which code runs or have two meanings, and wrong defaults."""
    prefix = draft.spec.name.upper().replace("-", "_")
    is_web = {*draft.spec.transports} - {"stdio"}
    own = {f"{prefix}_{option}" for option in (*_OPTIONS, *(_WEB_OPTIONS if is_web else ()))}
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
    """Return whether a variable is declared secret or holds the bearer token."""
    return variable.secret or (spec.auth is not None and variable.name == spec.auth.bearer.env)
