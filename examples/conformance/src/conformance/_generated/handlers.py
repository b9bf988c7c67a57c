# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The handlers, by the names that clients use."""

from typing import Any

from conformance._generated.contract import Prompt, Resource, ResourceTemplate, Tool
from conformance._generated.models import (
    JsonSchema202012ToolArguments,
    JsonSchema202012ToolResult,
    TemplateArguments,
    TestAudioContentArguments,
    TestAudioContentResult,
    TestComingAndGoingArguments,
    TestComingAndGoingResult,
    TestElicitationArguments,
    TestElicitationResult,
    TestElicitationSep1034DefaultsArguments,
    TestElicitationSep1034DefaultsResult,
    TestElicitationSep1330EnumsArguments,
    TestElicitationSep1330EnumsResult,
    TestEmbeddedResourceArguments,
    TestEmbeddedResourceResult,
    TestErrorHandlingArguments,
    TestErrorHandlingResult,
    TestImageContentArguments,
    TestImageContentResult,
    TestInputRequiredResultCapabilitiesArguments,
    TestInputRequiredResultCapabilitiesResult,
    TestInputRequiredResultElicitationArguments,
    TestInputRequiredResultElicitationResult,
    TestInputRequiredResultListRootsArguments,
    TestInputRequiredResultListRootsResult,
    TestInputRequiredResultMultipleInputsArguments,
    TestInputRequiredResultMultipleInputsResult,
    TestInputRequiredResultMultiRoundArguments,
    TestInputRequiredResultMultiRoundResult,
    TestInputRequiredResultPromptArguments,
    TestInputRequiredResultRequestStateArguments,
    TestInputRequiredResultRequestStateResult,
    TestInputRequiredResultSamplingArguments,
    TestInputRequiredResultSamplingResult,
    TestInputRequiredResultTamperedStateArguments,
    TestInputRequiredResultTamperedStateResult,
    TestLoggingToolArguments,
    TestLoggingToolResult,
    TestMissingCapabilityArguments,
    TestMissingCapabilityResult,
    TestMultipleContentTypesArguments,
    TestMultipleContentTypesResult,
    TestPromptWithEmbeddedResourceArguments,
    TestPromptWithImageArguments,
    TestReconnectionArguments,
    TestReconnectionResult,
    TestResourceLinkArguments,
    TestResourceLinkResult,
    TestSamplingArguments,
    TestSamplingResult,
    TestSimpleTextArguments,
    TestSimpleTextResult,
    TestStreamingElicitationArguments,
    TestStreamingElicitationResult,
    TestToolWithLoggingArguments,
    TestToolWithLoggingResult,
    TestToolWithProgressArguments,
    TestToolWithProgressResult,
    TestTriggerPromptChangeArguments,
    TestTriggerPromptChangeResult,
    TestTriggerResourceChangeArguments,
    TestTriggerResourceChangeResult,
    TestTriggerResourceUpdateArguments,
    TestTriggerResourceUpdateResult,
    TestTriggerToolChangeArguments,
    TestTriggerToolChangeResult,
    TestXMcpHeaderArguments,
    TestXMcpHeaderResult,
)
from conformance.prompts.test_input_required_result_prompt import (
    test_input_required_result_prompt,
)
from conformance.prompts.test_prompt_with_embedded_resource import (
    test_prompt_with_embedded_resource,
)
from conformance.prompts.test_prompt_with_image import test_prompt_with_image
from conformance.resources.static_binary import static_binary
from conformance.resources.template import template
from conformance.resources.watched_resource import watched_resource
from conformance.tools.json_schema_2020_12_tool import json_schema_2020_12_tool
from conformance.tools.test_audio_content import test_audio_content
from conformance.tools.test_coming_and_going import test_coming_and_going
from conformance.tools.test_elicitation import test_elicitation
from conformance.tools.test_elicitation_sep1034_defaults import (
    test_elicitation_sep1034_defaults,
)
from conformance.tools.test_elicitation_sep1330_enums import (
    test_elicitation_sep1330_enums,
)
from conformance.tools.test_embedded_resource import test_embedded_resource
from conformance.tools.test_error_handling import test_error_handling
from conformance.tools.test_image_content import test_image_content
from conformance.tools.test_input_required_result_capabilities import (
    test_input_required_result_capabilities,
)
from conformance.tools.test_input_required_result_elicitation import (
    test_input_required_result_elicitation,
)
from conformance.tools.test_input_required_result_list_roots import (
    test_input_required_result_list_roots,
)
from conformance.tools.test_input_required_result_multi_round import (
    test_input_required_result_multi_round,
)
from conformance.tools.test_input_required_result_multiple_inputs import (
    test_input_required_result_multiple_inputs,
)
from conformance.tools.test_input_required_result_request_state import (
    test_input_required_result_request_state,
)
from conformance.tools.test_input_required_result_sampling import (
    test_input_required_result_sampling,
)
from conformance.tools.test_input_required_result_tampered_state import (
    test_input_required_result_tampered_state,
)
from conformance.tools.test_logging_tool import test_logging_tool
from conformance.tools.test_missing_capability import test_missing_capability
from conformance.tools.test_multiple_content_types import test_multiple_content_types
from conformance.tools.test_reconnection import test_reconnection
from conformance.tools.test_resource_link import test_resource_link
from conformance.tools.test_sampling import test_sampling
from conformance.tools.test_simple_text import test_simple_text
from conformance.tools.test_streaming_elicitation import test_streaming_elicitation
from conformance.tools.test_tool_with_logging import test_tool_with_logging
from conformance.tools.test_tool_with_progress import test_tool_with_progress
from conformance.tools.test_trigger_prompt_change import test_trigger_prompt_change
from conformance.tools.test_trigger_resource_change import test_trigger_resource_change
from conformance.tools.test_trigger_resource_update import test_trigger_resource_update
from conformance.tools.test_trigger_tool_change import test_trigger_tool_change
from conformance.tools.test_x_mcp_header import test_x_mcp_header

# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "test_simple_text": Tool[TestSimpleTextArguments, TestSimpleTextResult](
        TestSimpleTextArguments, test_simple_text
    ),
    "test_image_content": Tool[TestImageContentArguments, TestImageContentResult](
        TestImageContentArguments, test_image_content
    ),
    "test_audio_content": Tool[TestAudioContentArguments, TestAudioContentResult](
        TestAudioContentArguments, test_audio_content
    ),
    "test_embedded_resource": Tool[
        TestEmbeddedResourceArguments, TestEmbeddedResourceResult
    ](TestEmbeddedResourceArguments, test_embedded_resource),
    "test_resource_link": Tool[TestResourceLinkArguments, TestResourceLinkResult](
        TestResourceLinkArguments, test_resource_link
    ),
    "test_multiple_content_types": Tool[
        TestMultipleContentTypesArguments, TestMultipleContentTypesResult
    ](TestMultipleContentTypesArguments, test_multiple_content_types),
    "test_error_handling": Tool[TestErrorHandlingArguments, TestErrorHandlingResult](
        TestErrorHandlingArguments, test_error_handling
    ),
    "test_tool_with_logging": Tool[
        TestToolWithLoggingArguments, TestToolWithLoggingResult
    ](TestToolWithLoggingArguments, test_tool_with_logging),
    "test_tool_with_progress": Tool[
        TestToolWithProgressArguments, TestToolWithProgressResult
    ](TestToolWithProgressArguments, test_tool_with_progress),
    "test_reconnection": Tool[TestReconnectionArguments, TestReconnectionResult](
        TestReconnectionArguments, test_reconnection
    ),
    "test_logging_tool": Tool[TestLoggingToolArguments, TestLoggingToolResult](
        TestLoggingToolArguments, test_logging_tool
    ),
    "json_schema_2020_12_tool": Tool[
        JsonSchema202012ToolArguments, JsonSchema202012ToolResult
    ](JsonSchema202012ToolArguments, json_schema_2020_12_tool),
    "test_x_mcp_header": Tool[TestXMcpHeaderArguments, TestXMcpHeaderResult](
        TestXMcpHeaderArguments, test_x_mcp_header
    ),
    "test_sampling": Tool[TestSamplingArguments, TestSamplingResult](
        TestSamplingArguments, test_sampling
    ),
    "test_elicitation": Tool[TestElicitationArguments, TestElicitationResult](
        TestElicitationArguments, test_elicitation
    ),
    "test_elicitation_sep1034_defaults": Tool[
        TestElicitationSep1034DefaultsArguments, TestElicitationSep1034DefaultsResult
    ](TestElicitationSep1034DefaultsArguments, test_elicitation_sep1034_defaults),
    "test_elicitation_sep1330_enums": Tool[
        TestElicitationSep1330EnumsArguments, TestElicitationSep1330EnumsResult
    ](TestElicitationSep1330EnumsArguments, test_elicitation_sep1330_enums),
    "test_streaming_elicitation": Tool[
        TestStreamingElicitationArguments, TestStreamingElicitationResult
    ](TestStreamingElicitationArguments, test_streaming_elicitation),
    "test_missing_capability": Tool[
        TestMissingCapabilityArguments, TestMissingCapabilityResult
    ](TestMissingCapabilityArguments, test_missing_capability),
    "test_input_required_result_elicitation": Tool[
        TestInputRequiredResultElicitationArguments,
        TestInputRequiredResultElicitationResult,
    ](
        TestInputRequiredResultElicitationArguments,
        test_input_required_result_elicitation,
    ),
    "test_input_required_result_sampling": Tool[
        TestInputRequiredResultSamplingArguments, TestInputRequiredResultSamplingResult
    ](TestInputRequiredResultSamplingArguments, test_input_required_result_sampling),
    "test_input_required_result_list_roots": Tool[
        TestInputRequiredResultListRootsArguments,
        TestInputRequiredResultListRootsResult,
    ](TestInputRequiredResultListRootsArguments, test_input_required_result_list_roots),
    "test_input_required_result_request_state": Tool[
        TestInputRequiredResultRequestStateArguments,
        TestInputRequiredResultRequestStateResult,
    ](
        TestInputRequiredResultRequestStateArguments,
        test_input_required_result_request_state,
    ),
    "test_input_required_result_tampered_state": Tool[
        TestInputRequiredResultTamperedStateArguments,
        TestInputRequiredResultTamperedStateResult,
    ](
        TestInputRequiredResultTamperedStateArguments,
        test_input_required_result_tampered_state,
    ),
    "test_input_required_result_multiple_inputs": Tool[
        TestInputRequiredResultMultipleInputsArguments,
        TestInputRequiredResultMultipleInputsResult,
    ](
        TestInputRequiredResultMultipleInputsArguments,
        test_input_required_result_multiple_inputs,
    ),
    "test_input_required_result_multi_round": Tool[
        TestInputRequiredResultMultiRoundArguments,
        TestInputRequiredResultMultiRoundResult,
    ](
        TestInputRequiredResultMultiRoundArguments,
        test_input_required_result_multi_round,
    ),
    "test_input_required_result_capabilities": Tool[
        TestInputRequiredResultCapabilitiesArguments,
        TestInputRequiredResultCapabilitiesResult,
    ](
        TestInputRequiredResultCapabilitiesArguments,
        test_input_required_result_capabilities,
    ),
    "test_trigger_tool_change": Tool[
        TestTriggerToolChangeArguments, TestTriggerToolChangeResult
    ](TestTriggerToolChangeArguments, test_trigger_tool_change),
    "test_trigger_prompt_change": Tool[
        TestTriggerPromptChangeArguments, TestTriggerPromptChangeResult
    ](TestTriggerPromptChangeArguments, test_trigger_prompt_change),
    "test_trigger_resource_change": Tool[
        TestTriggerResourceChangeArguments, TestTriggerResourceChangeResult
    ](TestTriggerResourceChangeArguments, test_trigger_resource_change),
    "test_trigger_resource_update": Tool[
        TestTriggerResourceUpdateArguments, TestTriggerResourceUpdateResult
    ](TestTriggerResourceUpdateArguments, test_trigger_resource_update),
    "test_coming_and_going": Tool[
        TestComingAndGoingArguments, TestComingAndGoingResult
    ](TestComingAndGoingArguments, test_coming_and_going),
}

RESOURCES: dict[str, Resource] = {
    "test://static-binary": Resource(static_binary, mime_type="image/png"),
    "test://watched-resource": Resource(watched_resource, mime_type="text/plain"),
}

RESOURCE_TEMPLATES: dict[str, ResourceTemplate[Any]] = {
    "test://template/{id}/data": ResourceTemplate[TemplateArguments](
        TemplateArguments, template, mime_type="application/json"
    ),
}

PROMPTS: dict[str, Prompt[Any]] = {
    "test_prompt_with_embedded_resource": Prompt[
        TestPromptWithEmbeddedResourceArguments
    ](TestPromptWithEmbeddedResourceArguments, test_prompt_with_embedded_resource),
    "test_prompt_with_image": Prompt[TestPromptWithImageArguments](
        TestPromptWithImageArguments, test_prompt_with_image
    ),
    "test_input_required_result_prompt": Prompt[TestInputRequiredResultPromptArguments](
        TestInputRequiredResultPromptArguments, test_input_required_result_prompt
    ),
}
