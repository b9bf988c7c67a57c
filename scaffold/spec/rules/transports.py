"""Check that authentication matches the transports and the variables."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.diagnostics.wording import nearest
from scaffold.spec.draft import Draft
from scaffold.spec.format import Transport
from scaffold.yaml.finding import Finding


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield authentication without HTTP, and a token variable that is not declared."""
    spec = draft.spec
    if spec.auth is None:
        return
    if set(spec.transports) == {Transport.STDIO} and "/transports" not in draft.lost:
        yield Finding(
            "/auth",
            "auth-without-http",
            "`auth` protects HTTP, and the server is not reached over HTTP",
            "add `streamable-http` to `transports`, or remove `auth`",
            at_key=True,
        )
    name, known = spec.auth.bearer.env, [variable.name for variable in spec.env]
    if name not in known and "/env" not in draft.lost:
        meant = nearest(name, known)
        yield Finding(
            "/auth/bearer/env",
            "unknown-variable",
            f"`{name}` is not a variable of `env`",
            f"did you mean `{meant}`?"
            if meant
            else f"add `- {{name: {name}, secret: true, required: false}}` to `env`",
        )
