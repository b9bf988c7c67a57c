# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""A context for tests of handlers, without a server or a client."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import mcp_types as types
from pydantic import BaseModel

from expenses._generated.client import Answer, Capability
from expenses._generated.contract import Context
from expenses.lifespan import Shared

Progress: TypeAlias = tuple[float, float | None, str | None]


@dataclass(frozen=True)
class FakeContext(Context):
    """Keeps what a handler tells its client, and answers what it asks."""

    progressed: list[Progress] = field(default_factory=list[Progress])
    """What `progress` was given."""
    answers: list[BaseModel | str] = field(default_factory=list[BaseModel | str])
    """The answers that are left."""

    async def progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        self.progressed.append((done, total, message))

    def can(self, capability: Capability) -> bool:
        return True

    async def answer(
        self, name: str, question: types.InputRequest, kind: type[Answer]
    ) -> Answer:
        assert self.answers, f"{name} needs an answer: give fake_context one more"
        given = self.answers.pop(0)
        answer: object = given
        if isinstance(question, types.ElicitRequest):
            if isinstance(given, BaseModel):
                content = given.model_dump(
                    mode="json", by_alias=True, exclude_none=True
                )
                answer = types.ElicitResult(action="accept", content=content)
            else:
                answer = types.ElicitResult.model_validate({"action": given})
        assert isinstance(answer, kind), f"{given!r} is no answer to {name}"
        return answer


def fake_context(
    *, shared: Shared, answers: Iterable[BaseModel | str] = ()
) -> FakeContext:
    """A context with the answers to a handler's questions, in their order.

    A form is answered with an instance of it, with "decline" or with "cancel".
    """
    return FakeContext(request=cast(Any, None), shared=shared, answers=[*answers])
