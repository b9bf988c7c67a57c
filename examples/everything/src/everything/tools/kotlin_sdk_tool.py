"""A test tool"""

from everything._generated.contract import Context, KotlinSdkToolArguments, ToolResult


async def kotlin_sdk_tool(
    arguments: KotlinSdkToolArguments,
    context: Context,
) -> ToolResult:
    return "Hello, world!"
