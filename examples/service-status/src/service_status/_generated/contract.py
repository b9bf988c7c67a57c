# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, TypeAlias

from mcp.shared.exceptions import MCPError as MCPError
from mcp_types import Annotations as Annotations
from mcp_types import AudioContent as AudioContent
from mcp_types import BlobResourceContents as BlobResourceContents
from mcp_types import CallToolResult as CallToolResult
from mcp_types import ContentBlock as ContentBlock
from mcp_types import EmbeddedResource as EmbeddedResource
from mcp_types import Icon as Icon
from mcp_types import ImageContent as ImageContent
from mcp_types import ResourceLink as ResourceLink
from mcp_types import TextContent as TextContent
from mcp_types import TextResourceContents as TextResourceContents

from .runtime.handlers import BaseContext, Model
from .runtime.handlers import NotWritten as NotWritten
from .runtime.handlers import ToolError as ToolError
from .runtime.tools import ToolResult as ToolResult

if TYPE_CHECKING:  # It may import this module.
    from service_status.lifespan import Shared

Context: TypeAlias = "BaseContext[Shared]"


class UnknownService(ToolError):
    def __init__(self, *, service: object, known: object) -> None:
        super().__init__(f"No service is called {service}; there are {known}")


class GetStatusArguments(Model):
    service: str
    """Name of the service, such as billing"""


class GetStatusResult(Model):
    up: bool
    since: dt.date
