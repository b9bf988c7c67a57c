"""Fail in one of the ways in which handlers fail."""

import sys

from workshop._generated.contract import (
    Context,
    FailArguments,
    MCPError,
    NoSuchThing,
    ToolError,
)


async def fail(arguments: FailArguments, context: Context) -> str:
    match arguments.how:
        case "domain error":
            raise NoSuchThing(thing="lamp", shelf=3)
        case "tool error":
            raise ToolError("The lamp is out. Try the candle.")
        case "surrogate tool error":
            raise ToolError("The lamp is \udc80.")
        case "protocol error":
            raise MCPError(-32000, "Not like this", {"hint": "like that"})
        case "exception":
            raise ValueError("a secret")
        case "exit":
            sys.exit("a secret")
    return "did not fail"
