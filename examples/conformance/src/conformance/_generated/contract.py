# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What handlers get and return, and the errors that they may raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from mcp.shared.exceptions import MCPError as MCPError
from mcp.shared.path_security import PathEscapeError as PathEscapeError
from mcp.shared.path_security import safe_join as safe_join
from mcp_types import Annotations as Annotations
from mcp_types import AudioContent as AudioContent
from mcp_types import BlobResourceContents as BlobResourceContents
from mcp_types import CallToolResult as CallToolResult
from mcp_types import CompleteRequestParams as CompleteRequestParams
from mcp_types import ContentBlock as ContentBlock
from mcp_types import CreateMessageRequestParams as CreateMessageRequestParams
from mcp_types import CreateMessageResult as CreateMessageResult
from mcp_types import EmbeddedResource as EmbeddedResource
from mcp_types import GetPromptResult as GetPromptResult
from mcp_types import Icon as Icon
from mcp_types import ImageContent as ImageContent
from mcp_types import PromptMessage as PromptMessage
from mcp_types import ReadResourceResult as ReadResourceResult
from mcp_types import ResourceLink as ResourceLink
from mcp_types import SamplingMessage as SamplingMessage
from mcp_types import TextContent as TextContent
from mcp_types import TextResourceContents as TextResourceContents

from .runtime.changes import Changes
from .runtime.elicitation import ElicitingContext
from .runtime.handlers import Model
from .runtime.handlers import NotWritten as NotWritten
from .runtime.handlers import ToolError as ToolError
from .runtime.logs import LoggingContext
from .runtime.prompts import PromptResult as PromptResult
from .runtime.questions import AskingContext
from .runtime.resources import ResourceNotFound as ResourceNotFound
from .runtime.resources import ResourceResult as ResourceResult
from .runtime.sampling import SamplingContext
from .runtime.task_questions import AskingTaskContext
from .runtime.tools import ToolResult as ToolResult

if TYPE_CHECKING:  # It may import this module.
    from conformance.lifespan import Shared

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
