# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import mcp_types as types
from mcp.shared import exceptions, path_security

from .runtime import handlers, prompts, resources, tools
from .runtime.changes import Changes
from .runtime.elicitation import ElicitingContext
from .runtime.handlers import Model
from .runtime.logs import LoggingContext
from .runtime.questions import AskingContext
from .runtime.sampling import SamplingContext
from .runtime.task_questions import AskingTaskContext

if TYPE_CHECKING:  # It may import this module.
    from conformance.lifespan import Shared

# What handlers may need besides what follows from the spec.
Annotations = types.Annotations
AudioContent = types.AudioContent
BlobResourceContents = types.BlobResourceContents
CallToolResult = types.CallToolResult
CompleteRequestParams = types.CompleteRequestParams
ContentBlock: TypeAlias = types.ContentBlock
CreateMessageRequestParams = types.CreateMessageRequestParams
CreateMessageResult = types.CreateMessageResult
EmbeddedResource = types.EmbeddedResource
GetPromptResult = types.GetPromptResult
Icon = types.Icon
ImageContent = types.ImageContent
PromptMessage = types.PromptMessage
ReadResourceResult = types.ReadResourceResult
ResourceLink = types.ResourceLink
SamplingMessage = types.SamplingMessage
TextContent = types.TextContent
TextResourceContents = types.TextResourceContents
MCPError = exceptions.MCPError
PathEscapeError = path_security.PathEscapeError
safe_join = path_security.safe_join
NotWritten = handlers.NotWritten
ToolError = handlers.ToolError
ToolResult: TypeAlias = tools.ToolResult
ResourceNotFound = resources.ResourceNotFound
ResourceResult: TypeAlias = resources.ResourceResult
PromptResult: TypeAlias = prompts.PromptResult
Opened: TypeAlias = "Shared"


class Context(
    AskingTaskContext[Opened],
    ElicitingContext[Opened],
    SamplingContext[Opened],
    AskingContext[Opened],
    LoggingContext[Opened],
):
    """What a handler gets besides its arguments."""


CHANGES = Changes(
    {
        "tools": [
            "test_simple_text",
            "test_image_content",
            "test_audio_content",
            "test_embedded_resource",
            "test_resource_link",
            "test_multiple_content_types",
            "test_error_handling",
            "test_tool_with_logging",
            "test_tool_with_progress",
            "test_reconnection",
            "test_logging_tool",
            "json_schema_2020_12_tool",
            "test_x_mcp_header",
            "test_sampling",
            "test_elicitation",
            "test_elicitation_sep1034_defaults",
            "test_elicitation_sep1330_enums",
            "test_streaming_elicitation",
            "test_missing_capability",
            "test_input_required_result_elicitation",
            "test_input_required_result_sampling",
            "test_input_required_result_list_roots",
            "test_input_required_result_request_state",
            "test_input_required_result_tampered_state",
            "test_input_required_result_multiple_inputs",
            "test_input_required_result_multi_round",
            "test_input_required_result_capabilities",
            "test_trigger_tool_change",
            "test_trigger_prompt_change",
            "test_trigger_resource_change",
            "test_trigger_resource_update",
            "test_coming_and_going",
            "greet",
            "slow_compute",
            "failing_job",
            "protocol_error_job",
            "confirm_delete",
            "multi_input",
            "test_tool_with_task",
        ],
        "resources": [
            "test://static-text",
            "test://static-binary",
            "test://watched-resource",
            "test://coming-and-going",
        ],
        "prompts": [
            "test_simple_prompt",
            "test_prompt_with_arguments",
            "test_prompt_with_embedded_resource",
            "test_prompt_with_image",
            "test_input_required_result_prompt",
            "test_coming_and_going_prompt",
        ],
    },
    subscribe=True,
)
hide, show = CHANGES.hide, CHANGES.show
resource_updated = CHANGES.resource_updated


class TestSimpleTextArguments(Model):
    pass


class TestImageContentArguments(Model):
    pass


class TestAudioContentArguments(Model):
    pass


class TestEmbeddedResourceArguments(Model):
    pass


class TestResourceLinkArguments(Model):
    pass


class TestMultipleContentTypesArguments(Model):
    pass


class TestErrorHandlingArguments(Model):
    pass


class TestToolWithLoggingArguments(Model):
    pass


class TestToolWithProgressArguments(Model):
    pass


class TestReconnectionArguments(Model):
    pass


class TestLoggingToolArguments(Model):
    pass


class Address(Model):
    street: str | None = None
    city: str | None = None


class JsonSchema202012ToolArguments(Model):
    name: str | None = None
    address: Address | None = None
    contactMethod: Literal["phone", "email"] | None = None
    phone: str | None = None
    email: str | None = None


class TestXMcpHeaderArguments(Model):
    region: str


class TestSamplingArguments(Model):
    prompt: str


class TestElicitationArguments(Model):
    message: str


class TestElicitationSep1034DefaultsArguments(Model):
    pass


class TestElicitationSep1330EnumsArguments(Model):
    pass


class TestStreamingElicitationArguments(Model):
    pass


class TestMissingCapabilityArguments(Model):
    pass


class TestInputRequiredResultElicitationArguments(Model):
    pass


class TestInputRequiredResultSamplingArguments(Model):
    pass


class TestInputRequiredResultListRootsArguments(Model):
    pass


class TestInputRequiredResultRequestStateArguments(Model):
    pass


class TestInputRequiredResultTamperedStateArguments(Model):
    pass


class TestInputRequiredResultMultipleInputsArguments(Model):
    pass


class TestInputRequiredResultMultiRoundArguments(Model):
    pass


class TestInputRequiredResultCapabilitiesArguments(Model):
    pass


class TestTriggerToolChangeArguments(Model):
    pass


class TestTriggerPromptChangeArguments(Model):
    pass


class TestTriggerResourceChangeArguments(Model):
    pass


class TestTriggerResourceUpdateArguments(Model):
    pass


class TestComingAndGoingArguments(Model):
    pass


class GreetArguments(Model):
    name: str


class SlowComputeArguments(Model):
    seconds: float
    label: str | None = None


class FailingJobArguments(Model):
    pass


class ProtocolErrorJobArguments(Model):
    pass


class ConfirmDeleteArguments(Model):
    filename: str


class MultiInputArguments(Model):
    pass


class TestToolWithTaskArguments(Model):
    pass


class TemplateArguments(Model):
    id: str


class TestPromptWithEmbeddedResourceArguments(Model):
    resourceUri: str
    """The URI of the resource."""


class TestPromptWithImageArguments(Model):
    pass


class TestInputRequiredResultPromptArguments(Model):
    pass


# Tools without an `outputSchema`.
TestSimpleTextResult: TypeAlias = ToolResult
TestImageContentResult: TypeAlias = ToolResult
TestAudioContentResult: TypeAlias = ToolResult
TestEmbeddedResourceResult: TypeAlias = ToolResult
TestResourceLinkResult: TypeAlias = ToolResult
TestMultipleContentTypesResult: TypeAlias = ToolResult
TestErrorHandlingResult: TypeAlias = ToolResult
TestToolWithLoggingResult: TypeAlias = ToolResult
TestToolWithProgressResult: TypeAlias = ToolResult
TestReconnectionResult: TypeAlias = ToolResult
TestLoggingToolResult: TypeAlias = ToolResult
JsonSchema202012ToolResult: TypeAlias = ToolResult
TestXMcpHeaderResult: TypeAlias = ToolResult
TestSamplingResult: TypeAlias = ToolResult
TestElicitationResult: TypeAlias = ToolResult
TestElicitationSep1034DefaultsResult: TypeAlias = ToolResult
TestElicitationSep1330EnumsResult: TypeAlias = ToolResult
TestStreamingElicitationResult: TypeAlias = ToolResult
TestMissingCapabilityResult: TypeAlias = ToolResult
TestInputRequiredResultElicitationResult: TypeAlias = ToolResult
TestInputRequiredResultSamplingResult: TypeAlias = ToolResult
TestInputRequiredResultListRootsResult: TypeAlias = ToolResult
TestInputRequiredResultRequestStateResult: TypeAlias = ToolResult
TestInputRequiredResultTamperedStateResult: TypeAlias = ToolResult
TestInputRequiredResultMultipleInputsResult: TypeAlias = ToolResult
TestInputRequiredResultMultiRoundResult: TypeAlias = ToolResult
TestInputRequiredResultCapabilitiesResult: TypeAlias = ToolResult
TestTriggerToolChangeResult: TypeAlias = ToolResult
TestTriggerPromptChangeResult: TypeAlias = ToolResult
TestTriggerResourceChangeResult: TypeAlias = ToolResult
TestTriggerResourceUpdateResult: TypeAlias = ToolResult
TestComingAndGoingResult: TypeAlias = ToolResult
GreetResult: TypeAlias = ToolResult
SlowComputeResult: TypeAlias = ToolResult
FailingJobResult: TypeAlias = ToolResult
ProtocolErrorJobResult: TypeAlias = ToolResult
ConfirmDeleteResult: TypeAlias = ToolResult
MultiInputResult: TypeAlias = ToolResult
TestToolWithTaskResult: TypeAlias = ToolResult
