"""Give back the arguments, odd names and all."""

from typing import Any

from workshop._generated.contract import ComExampleWorkshopEchoV2Arguments, Context


async def com_example_workshop_echo_v2(
    arguments: ComExampleWorkshopEchoV2Arguments, context: Context
) -> dict[str, Any]:
    given = arguments.model_dump(mode="json", exclude_unset=True)
    nested = arguments.nested.model_dump(mode="json", exclude_unset=True)
    filled_in = {
        "class": arguments.class_,
        "two words": arguments.two_words,
        "nested": nested,
    }
    arguments.nested.__dict__["seen"] = "in an earlier call"
    return {"arguments": {**filled_in, **given}, "inner": arguments.nested.inner}
