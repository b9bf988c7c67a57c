# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The handlers, by the names that clients use."""

from typing import Any

from reading_list._generated.contract import Tool
from reading_list._generated.models import (
    FindBooksArguments,
    FindBooksResult,
    PlanReadingArguments,
    PlanReadingResult,
)
from reading_list.tools.find_books import find_books
from reading_list.tools.plan_reading import plan_reading

# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "find_books": Tool[FindBooksArguments, FindBooksResult](
        FindBooksArguments, find_books
    ),
    "plan_reading": Tool[PlanReadingArguments, PlanReadingResult](
        PlanReadingArguments, plan_reading
    ),
}
