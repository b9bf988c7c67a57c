"""Fail in one of the ways in which handlers fail."""

import asyncio
import sys

from workshop._generated.contract import (
    Context,
    FailArguments,
    MCPError,
    NoSuchThing,
    TextContent,
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
        case "group":
            raise ExceptionGroup(
                "secrets", [ValueError("a secret"), KeyError("a secret")]
            )
        case "validation":
            TextContent.model_validate({"secret": "a secret"})
        case "assertion":
            raise AssertionError("a secret")
        case "recursion":
            return await fail(arguments, context)
        case "timeout":
            raise TimeoutError("a secret")
        case "stop":
            raise StopIteration("a secret")
        case "exit":
            sys.exit("a secret")
        case "cancelled":
            raise asyncio.CancelledError("a secret")
    return "did not fail"
