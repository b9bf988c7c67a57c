"""Has an input schema with the vocabulary of JSON Schema 2020-12."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import JsonSchema202012ToolArguments


async def json_schema_2020_12_tool(
    arguments: JsonSchema202012ToolArguments,
    context: Context,
) -> ToolResult:
    return f"Got {', '.join(sorted(arguments.model_fields_set))}."
