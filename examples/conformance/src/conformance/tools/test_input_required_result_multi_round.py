"""Asks for a name, then for a colour."""

from typing import Any

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestInputRequiredResultMultiRoundArguments


async def test_input_required_result_multi_round(
    arguments: TestInputRequiredResultMultiRoundArguments,
    context: Context,
) -> ToolResult:
    name = await context.client.elicit(
        "step1", "Step 1: What is your name?", form_of("name")
    )
    colour = await context.client.elicit(
        "step2", "Step 2: What is your favorite color?", form_of("color")
    )
    return f"{name.content} likes {colour.content}"


def form_of(field: str) -> dict[str, Any]:
    properties = {field: {"type": "string"}}
    return {"type": "object", "properties": properties, "required": [field]}
