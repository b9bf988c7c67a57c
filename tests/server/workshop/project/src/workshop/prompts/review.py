"""Messages from a handler."""

from workshop._generated.contract import (
    Context,
    MCPError,
    NoSuchThing,
    PromptMessage,
    PromptResult,
    ReviewArguments,
    TextContent,
)


async def review(arguments: ReviewArguments, context: Context) -> PromptResult:
    match arguments.thing:
        case "lamp":
            raise NoSuchThing(thing="lamp", shelf=3)
        case "exception":
            raise ValueError("a secret")
        case "protocol error":
            raise MCPError(-32602, "Not this one")
    text = f"Review the {arguments.thing}, {arguments.mood or 'calmly'}."
    return [
        PromptMessage(role="user", content=TextContent(text=text)),
        PromptMessage(role="assistant", content=TextContent(text="Gladly.")),
    ]
