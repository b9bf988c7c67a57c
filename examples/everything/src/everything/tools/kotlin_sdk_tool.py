"""A test tool"""

from everything._generated.contract import Context, ToolResult
from everything._generated.models import KotlinSdkToolArguments


async def kotlin_sdk_tool(
    arguments: KotlinSdkToolArguments,
    context: Context,
) -> ToolResult:
    return "Hello, world!"
