"""Asks the user with a form that has each kind of choice."""

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestElicitationSep1330EnumsArguments


async def test_elicitation_sep1330_enums(
    arguments: TestElicitationSep1330EnumsArguments,
    context: Context,
) -> ToolResult:
    options = ["option1", "option2", "option3"]
    titled = [
        {"const": "value1", "title": "First Option"},
        {"const": "value2", "title": "Second Option"},
        {"const": "value3", "title": "Third Option"},
    ]
    form = {
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": options},
            "titledSingle": {"type": "string", "oneOf": titled},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {
                "type": "array",
                "items": {"type": "string", "enum": options},
            },
            "titledMulti": {"type": "array", "items": {"anyOf": titled}},
        },
    }
    answer = await context.client.elicit("choices", "Please choose", form)
    return f"Elicitation completed: action={answer.action}, content={answer.content}"
