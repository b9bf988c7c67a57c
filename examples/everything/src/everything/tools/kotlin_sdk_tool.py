"""A test tool"""

from everything._generated.contract import (
    Context,
    KotlinSdkToolArguments,
    KotlinSdkToolResult,
)


async def kotlin_sdk_tool(
    arguments: KotlinSdkToolArguments,
    context: Context,
) -> KotlinSdkToolResult:
    return "Hello, world!"
