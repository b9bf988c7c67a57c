"""A result that is no result at all."""

from typing import Any

from workshop._generated.contract import (
    CallToolResult,
    Context,
    OddArguments,
    TextContent,
)


def odd(
    arguments: OddArguments, context: Context
) -> dict[str, Any] | str | CallToolResult:
    match arguments.kind:
        case "object":
            return {"secret": object()}
        case "nan":
            return {"secret": float("nan")}
        case "bytes":
            return {"secret": b"secret"}
        case "surrogate":
            return "secret \udc80"
        case "cycle":
            cycle: dict[str, Any] = {}
            cycle["secret"] = cycle
            return cycle
        case "structured surrogate":
            return CallToolResult(
                content=[TextContent(text="fine")],
                structured_content={"secret": "\udc80"},
            )
