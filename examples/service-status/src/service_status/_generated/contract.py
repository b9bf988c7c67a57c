# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, TypeAlias

import mcp_types as types
from mcp.shared import exceptions

from .runtime import handlers, tools
from .runtime.handlers import BaseContext, Model

if TYPE_CHECKING:  # It may import this module.
    from service_status.lifespan import Shared

# What handlers may need besides what follows from the spec.
Annotations = types.Annotations
AudioContent = types.AudioContent
BlobResourceContents = types.BlobResourceContents
CallToolResult = types.CallToolResult
ContentBlock: TypeAlias = types.ContentBlock
EmbeddedResource = types.EmbeddedResource
Icon = types.Icon
ImageContent = types.ImageContent
ResourceLink = types.ResourceLink
TextContent = types.TextContent
TextResourceContents = types.TextResourceContents
MCPError = exceptions.MCPError
NotWritten = handlers.NotWritten
ToolError = handlers.ToolError
ToolResult: TypeAlias = tools.ToolResult
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
