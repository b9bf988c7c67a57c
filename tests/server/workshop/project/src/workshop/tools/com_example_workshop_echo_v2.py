"""Give back the arguments, odd names and all."""

from typing import Any

from workshop._generated.contract import ComExampleWorkshopEchoV2Arguments, Context


async def com_example_workshop_echo_v2(
    arguments: ComExampleWorkshopEchoV2Arguments, context: Context
) -> dict[str, Any]:
    nested: Any = arguments["nested"]
    reply = {"arguments": {**arguments, "nested": dict(nested)}}
    nested["seen"] = "in an earlier call"
    return reply
