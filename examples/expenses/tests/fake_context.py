# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""A context for tests of handlers without a server or a client."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import mcp_types as types
from pydantic_core import to_jsonable_python

from expenses._generated import calls
from expenses._generated.client import Answer, Capability
from expenses._generated.contract import Context
from expenses.lifespan import Shared

Progress: TypeAlias = tuple[float, float | None, str | None]

run = calls.run
"""Runs a handler as the server does, with arguments and a context."""


@dataclass(frozen=True)
class FakeContext(Context):
    """Records what a handler sends to its client, and answers its questions."""

    progressed: list[Progress] = field(default_factory=list[Progress])
    """The arguments of each call of `progress`."""
    answers: list[Any] = field(default_factory=list[Any])
    """The answers that are left, in order."""

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
            if isinstance(given, str):
                assert given in ("decline", "cancel"), (
                    f"{given!r} is no answer to {name}"
                )
                answer = types.ElicitResult.model_validate({"action": given})
            else:
                form: dict[str, Any] = to_jsonable_python(given, by_alias=True)
                content = {
                    key: value for key, value in form.items() if value is not None
                }
                answer = types.ElicitResult(action="accept", content=content)
        assert isinstance(answer, kind), f"{given!r} is no answer to {name}"
        return answer


def fake_context(*, shared: Shared, answers: Iterable[Any] = ()) -> FakeContext:
    """Return a context with what the handlers share, and the answers to their questions.

    A form is answered with an instance of it, with "decline" or with "cancel".
    """
    return FakeContext(request=cast(Any, None), shared=shared, answers=[*answers])
