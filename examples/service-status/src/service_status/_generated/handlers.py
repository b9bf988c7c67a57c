# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The handlers, by the names that clients use."""

from typing import Any

from service_status._generated.contract import Tool
from service_status._generated.models import GetStatusArguments, GetStatusResult
from service_status.tools.get_status import get_status

# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "get_status": Tool[GetStatusArguments, GetStatusResult](
        GetStatusArguments, get_status
    ),
}
