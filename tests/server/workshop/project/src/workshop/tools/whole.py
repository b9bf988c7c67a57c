"""A whole result, structured content and metadata included."""

from workshop._generated.contract import (
    CallToolResult,
    Context,
    TextContent,
    WholeArguments,
)


async def whole(arguments: WholeArguments, context: Context) -> CallToolResult:
    structured = None if arguments.weight is None else {"weight": arguments.weight}
    return CallToolResult(
        content=[TextContent(text="as it is")],
        structured_content=structured,
        is_error=arguments.is_error,
        _meta={"example.org/kept": True},
    )
