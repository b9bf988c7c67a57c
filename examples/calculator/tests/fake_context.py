# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""A context for tests of handlers without a server or a client."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from calculator._generated import calls
from calculator._generated.contract import Context
from calculator.lifespan import Shared

Progress: TypeAlias = tuple[float, float | None, str | None]

run = calls.run
"""Runs a handler as the server does, with arguments and a context."""


@dataclass(frozen=True)
class FakeContext(Context):
    """Records what a handler sends to its client."""

    progressed: list[Progress] = field(default_factory=list[Progress])
    """The arguments of each call of `progress`."""

    async def progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        self.progressed.append((done, total, message))


def fake_context(*, shared: Shared) -> FakeContext:
    """Return a context with what the handlers share."""
    return FakeContext(request=cast(Any, None), shared=shared)
