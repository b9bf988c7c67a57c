"""Has an input schema with the vocabulary of JSON Schema 2020-12."""

from conformance._generated.contract import (
    Context,
    JsonSchema202012ToolArguments,
    JsonSchema202012ToolResult,
)


async def json_schema_2020_12_tool(
    arguments: JsonSchema202012ToolArguments,
    context: Context,
) -> JsonSchema202012ToolResult:
    return f"Got {', '.join(sorted(arguments.model_fields_set))}."
