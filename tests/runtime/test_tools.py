"""Calls of tools in memory: what reaches a handler, and what becomes of what it returns."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, ClassVar, cast

import pytest
from mcp import Client, MCPError
from mcp_types import CallToolRequestParams, CallToolResult, TextContent
from pydantic import BaseModel

from templates.python.runtime.handlers import BaseContext, Calls, Model, ToolError
from tests.runtime.serving import server_of, tools_of

pytestmark = pytest.mark.anyio

ERAS = ("legacy", "auto")
SIZE = {"type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}}


def text_of(result: CallToolResult) -> str:
    [block] = result.content
    assert isinstance(block, TextContent)
    return block.text


async def echo(arguments: Model, context: object) -> Any:
    return arguments.model_extra


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
async def test_infinity_and_nan_are_refused_at_any_depth(number: float) -> None:
    params = CallToolRequestParams(name="echo", arguments={"deep": [{"er": number}]})
    result = await tools_of(echo).call(cast("Any", None), params)
    assert text_of(result) == "Invalid arguments:\n- /: NaN and infinity are not JSON"


async def test_a_handler_can_validate_a_value_by_the_schema_of_a_tool() -> None:
    async def check(arguments: Model, context: object) -> Any:
        return [type(arguments).faults({"size": size}) for size in (1, 0)]

    async with Client(server_of(check, schemas={"check": SIZE})) as client:
        result = await client.call_tool("check", {})
    assert text_of(result) == '[[],["/size: 0 is less than the minimum of 1"]]'


@pytest.mark.parametrize("mode", ERAS)
async def test_an_unknown_tool_is_a_protocol_error_of_bounded_length(mode: str) -> None:
    async with Client(server_of(echo), mode=mode) as client:
        with pytest.raises(MCPError, match=r"^Unknown tool: x{128}$"):
            await client.call_tool("x" * 10_000, {})


class Point(BaseModel):
    """A model of the user's own."""

    x: int
    y: int | None = None


class Part(Model):
    """A generated model."""

    unit: str | None = None
    note: str | None = None


RETURNED: Mapping[str, tuple[Any, Any]] = {
    "a mapping": ({"text": "é", "list": (1, 2.5)}, {"text": "é", "list": [1, 2.5]}),
    "a model of pydantic": (Point(x=1), {"x": 1, "y": None}),
    "a generated model": (Part(note=None), {"note": None}),
    "models inside": (
        {"parts": [Part(unit="m"), Point(x=1, y=2)]},
        {"parts": [{"unit": "m"}, {"x": 1, "y": 2}]},
    ),
}


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("case", RETURNED)
async def test_an_object_is_structured_content_and_compact_text(case: str, mode: str) -> None:
    returned, expected = RETURNED[case]

    async def give(arguments: Model, context: object) -> Any:
        return returned

    async with Client(server_of(give), mode=mode) as client:
        result = await client.call_tool("give", {})
    assert result.structured_content == expected
    assert text_of(result) == json.dumps(expected, ensure_ascii=False, separators=(",", ":"))


CYCLE: dict[str, Any] = {}
CYCLE["again"] = CYCLE
WRONG: Mapping[str, Any] = {
    "another type": {"size": "a secret"},
    "below a limit": {"size": 0},
    "an object": {"other": object()},
    "NaN": {"other": math.nan},
    "bytes": {"other": b"a secret"},
    "a cycle": CYCLE,
    "a whole result": CallToolResult(content=[], structured_content={"size": 0}),
}


@pytest.mark.parametrize("case", WRONG)
async def test_a_result_that_cannot_be_sent_or_breaks_its_schema_is_masked(
    case: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def give(arguments: Model, context: object) -> Any:
        return WRONG[case]

    async with Client(server_of(give, results={"give": SIZE})) as client:
        result = await client.call_tool("give", {})
    assert result.is_error
    assert text_of(result).startswith("Internal error, reference ")
    assert "give failed" in caplog.text
    if case == "below a limit":
        reason = "the result does not fit outputSchema: ['/size: 0 is less than the minimum of 1']"
        assert reason in caplog.text


class ObservedCalls(Calls):
    """Calls that a team's pack observes."""

    seen: ClassVar[list[object]] = []

    async def run(self, *given: Any, context: BaseContext[Any], **more: Any) -> Any:
        self.seen.append(context.request.params)
        try:
            return await super().run(*given, context=context, **more)
        except ValueError as error:
            raise ToolError("in other words") from error


async def test_a_custom_runner_sees_the_outcome_of_its_handler() -> None:
    async def fail(arguments: Model, context: object) -> None:
        raise ValueError("a secret")

    async with Client(server_of(fail, calls=ObservedCalls()), mode="legacy") as client:
        assert text_of(await client.call_tool("fail", {"a": 1})) == "in other words"
    assert ObservedCalls.seen == [{"name": "fail", "arguments": {"a": 1}}]
