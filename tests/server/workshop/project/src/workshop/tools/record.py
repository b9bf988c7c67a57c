"""A JSON object without a schema."""

from typing import Any

from workshop._generated.contract import Context, RecordArguments


def record(arguments: RecordArguments, context: Context) -> dict[str, Any]:
    return {
        "text": "déjà vu ☃",
        "none": None,
        "list": [1, 2.5, True],
        "nested": {"a": {}},
    }
