"""A test tool"""

from everything._generated.contract import Context
from everything._generated.models import KotlinSdkToolArguments, KotlinSdkToolResult


async def kotlin_sdk_tool(
    arguments: KotlinSdkToolArguments,
    context: Context,
) -> KotlinSdkToolResult:
    return "Hello, world!"
