# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The server: which handler belongs to which entry of the spec."""

import importlib.resources
from pathlib import Path
from typing import Any

from mcp.server import Server
from mcp.server.caching import CacheHint
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp_types import Implementation

from conformance.completions import complete as complete_argument
from conformance.lifespan import Shared, lifespan
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
from conformance.tools.confirm_delete import confirm_delete
from conformance.tools.failing_job import failing_job
from conformance.tools.greet import greet
from conformance.tools.json_schema_2020_12_tool import json_schema_2020_12_tool
from conformance.tools.multi_input import multi_input
from conformance.tools.protocol_error_job import protocol_error_job
from conformance.tools.slow_compute import slow_compute
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
from conformance.tools.test_tool_with_task import test_tool_with_task
from conformance.tools.test_trigger_prompt_change import test_trigger_prompt_change
from conformance.tools.test_trigger_resource_change import test_trigger_resource_change
from conformance.tools.test_trigger_resource_update import test_trigger_resource_update
from conformance.tools.test_trigger_tool_change import test_trigger_tool_change
from conformance.tools.test_x_mcp_header import test_x_mcp_header

from . import contract as c
from .runtime.catalog import Catalog
from .runtime.choices import ChoiceSchema
from .runtime.completions import Completions
from .runtime.handlers import Calls
from .runtime.logs import attach as attach_logs
from .runtime.prompts import Prompt, Prompts
from .runtime.questions import ask_first
from .runtime.resources import Resource, Resources, ResourceTemplate
from .runtime.skills import Skills
from .runtime.task import TaskRule
from .runtime.tasks import Tasks
from .runtime.tools import Tool, Tools

CATALOG = Catalog(importlib.resources.files("conformance._generated") / "catalog.json")
# Installed, they are beside this module; in a checkout, where they are edited.
HERE = Path(__file__).parent
SKILLS = (HERE / "skills", HERE.parents[2] / "skills")
# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "test_simple_text": Tool[c.TestSimpleTextArguments, c.TestSimpleTextResult](
        c.TestSimpleTextArguments, test_simple_text
    ),
    "test_image_content": Tool[c.TestImageContentArguments, c.TestImageContentResult](
        c.TestImageContentArguments, test_image_content
    ),
    "test_audio_content": Tool[c.TestAudioContentArguments, c.TestAudioContentResult](
        c.TestAudioContentArguments, test_audio_content
    ),
    "test_embedded_resource": Tool[
        c.TestEmbeddedResourceArguments, c.TestEmbeddedResourceResult
    ](c.TestEmbeddedResourceArguments, test_embedded_resource),
    "test_resource_link": Tool[c.TestResourceLinkArguments, c.TestResourceLinkResult](
        c.TestResourceLinkArguments, test_resource_link
    ),
    "test_multiple_content_types": Tool[
        c.TestMultipleContentTypesArguments, c.TestMultipleContentTypesResult
    ](c.TestMultipleContentTypesArguments, test_multiple_content_types),
    "test_error_handling": Tool[
        c.TestErrorHandlingArguments, c.TestErrorHandlingResult
    ](c.TestErrorHandlingArguments, test_error_handling),
    "test_tool_with_logging": Tool[
        c.TestToolWithLoggingArguments, c.TestToolWithLoggingResult
    ](c.TestToolWithLoggingArguments, test_tool_with_logging),
    "test_tool_with_progress": Tool[
        c.TestToolWithProgressArguments, c.TestToolWithProgressResult
    ](c.TestToolWithProgressArguments, test_tool_with_progress),
    "test_reconnection": Tool[c.TestReconnectionArguments, c.TestReconnectionResult](
        c.TestReconnectionArguments, test_reconnection
    ),
    "test_logging_tool": Tool[c.TestLoggingToolArguments, c.TestLoggingToolResult](
        c.TestLoggingToolArguments, test_logging_tool
    ),
    "json_schema_2020_12_tool": Tool[
        c.JsonSchema202012ToolArguments, c.JsonSchema202012ToolResult
    ](c.JsonSchema202012ToolArguments, json_schema_2020_12_tool),
    "test_x_mcp_header": Tool[c.TestXMcpHeaderArguments, c.TestXMcpHeaderResult](
        c.TestXMcpHeaderArguments, test_x_mcp_header
    ),
    "test_sampling": Tool[c.TestSamplingArguments, c.TestSamplingResult](
        c.TestSamplingArguments, test_sampling
    ),
    "test_elicitation": Tool[c.TestElicitationArguments, c.TestElicitationResult](
        c.TestElicitationArguments, test_elicitation
    ),
    "test_elicitation_sep1034_defaults": Tool[
        c.TestElicitationSep1034DefaultsArguments,
        c.TestElicitationSep1034DefaultsResult,
    ](c.TestElicitationSep1034DefaultsArguments, test_elicitation_sep1034_defaults),
    "test_elicitation_sep1330_enums": Tool[
        c.TestElicitationSep1330EnumsArguments, c.TestElicitationSep1330EnumsResult
    ](c.TestElicitationSep1330EnumsArguments, test_elicitation_sep1330_enums),
    "test_streaming_elicitation": Tool[
        c.TestStreamingElicitationArguments, c.TestStreamingElicitationResult
    ](c.TestStreamingElicitationArguments, test_streaming_elicitation),
    "test_missing_capability": Tool[
        c.TestMissingCapabilityArguments, c.TestMissingCapabilityResult
    ](c.TestMissingCapabilityArguments, test_missing_capability),
    "test_input_required_result_elicitation": Tool[
        c.TestInputRequiredResultElicitationArguments,
        c.TestInputRequiredResultElicitationResult,
    ](
        c.TestInputRequiredResultElicitationArguments,
        test_input_required_result_elicitation,
    ),
    "test_input_required_result_sampling": Tool[
        c.TestInputRequiredResultSamplingArguments,
        c.TestInputRequiredResultSamplingResult,
    ](c.TestInputRequiredResultSamplingArguments, test_input_required_result_sampling),
    "test_input_required_result_list_roots": Tool[
        c.TestInputRequiredResultListRootsArguments,
        c.TestInputRequiredResultListRootsResult,
    ](
        c.TestInputRequiredResultListRootsArguments,
        test_input_required_result_list_roots,
    ),
    "test_input_required_result_request_state": Tool[
        c.TestInputRequiredResultRequestStateArguments,
        c.TestInputRequiredResultRequestStateResult,
    ](
        c.TestInputRequiredResultRequestStateArguments,
        test_input_required_result_request_state,
    ),
    "test_input_required_result_tampered_state": Tool[
        c.TestInputRequiredResultTamperedStateArguments,
        c.TestInputRequiredResultTamperedStateResult,
    ](
        c.TestInputRequiredResultTamperedStateArguments,
        test_input_required_result_tampered_state,
    ),
    "test_input_required_result_multiple_inputs": Tool[
        c.TestInputRequiredResultMultipleInputsArguments,
        c.TestInputRequiredResultMultipleInputsResult,
    ](
        c.TestInputRequiredResultMultipleInputsArguments,
        test_input_required_result_multiple_inputs,
    ),
    "test_input_required_result_multi_round": Tool[
        c.TestInputRequiredResultMultiRoundArguments,
        c.TestInputRequiredResultMultiRoundResult,
    ](
        c.TestInputRequiredResultMultiRoundArguments,
        test_input_required_result_multi_round,
    ),
    "test_input_required_result_capabilities": Tool[
        c.TestInputRequiredResultCapabilitiesArguments,
        c.TestInputRequiredResultCapabilitiesResult,
    ](
        c.TestInputRequiredResultCapabilitiesArguments,
        test_input_required_result_capabilities,
    ),
    "test_trigger_tool_change": Tool[
        c.TestTriggerToolChangeArguments, c.TestTriggerToolChangeResult
    ](c.TestTriggerToolChangeArguments, test_trigger_tool_change),
    "test_trigger_prompt_change": Tool[
        c.TestTriggerPromptChangeArguments, c.TestTriggerPromptChangeResult
    ](c.TestTriggerPromptChangeArguments, test_trigger_prompt_change),
    "test_trigger_resource_change": Tool[
        c.TestTriggerResourceChangeArguments, c.TestTriggerResourceChangeResult
    ](c.TestTriggerResourceChangeArguments, test_trigger_resource_change),
    "test_trigger_resource_update": Tool[
        c.TestTriggerResourceUpdateArguments, c.TestTriggerResourceUpdateResult
    ](c.TestTriggerResourceUpdateArguments, test_trigger_resource_update),
    "test_coming_and_going": Tool[
        c.TestComingAndGoingArguments, c.TestComingAndGoingResult
    ](c.TestComingAndGoingArguments, test_coming_and_going),
    "greet": Tool[c.GreetArguments, c.GreetResult](c.GreetArguments, greet),
    "slow_compute": Tool[c.SlowComputeArguments, c.SlowComputeResult](
        c.SlowComputeArguments, slow_compute, timeout=3600
    ),
    "failing_job": Tool[c.FailingJobArguments, c.FailingJobResult](
        c.FailingJobArguments, failing_job, timeout=3600
    ),
    "protocol_error_job": Tool[c.ProtocolErrorJobArguments, c.ProtocolErrorJobResult](
        c.ProtocolErrorJobArguments, protocol_error_job, timeout=3600
    ),
    "confirm_delete": Tool[c.ConfirmDeleteArguments, c.ConfirmDeleteResult](
        c.ConfirmDeleteArguments, confirm_delete, timeout=3600
    ),
    "multi_input": Tool[c.MultiInputArguments, c.MultiInputResult](
        c.MultiInputArguments, multi_input, timeout=3600
    ),
    "test_tool_with_task": Tool[c.TestToolWithTaskArguments, c.TestToolWithTaskResult](
        c.TestToolWithTaskArguments, test_tool_with_task, timeout=3600
    ),
}
TASKS = {
    "slow_compute": TaskRule(poll=0.2),
    "failing_job": TaskRule(required=True),
    "protocol_error_job": TaskRule(),
    "confirm_delete": TaskRule(),
    "multi_input": TaskRule(),
    "test_tool_with_task": TaskRule(required=True, by_handler=True),
}
RESOURCES = {
    "test://static-binary": Resource(static_binary, mime_type="image/png"),
    "test://watched-resource": Resource(watched_resource, mime_type="text/plain"),
}
RESOURCE_TEMPLATES: dict[str, ResourceTemplate[Any]] = {
    "test://template/{id}/data": ResourceTemplate[c.TemplateArguments](
        c.TemplateArguments, template, mime_type="application/json"
    )
}
PROMPTS: dict[str, Prompt[Any]] = {
    "test_prompt_with_embedded_resource": Prompt[
        c.TestPromptWithEmbeddedResourceArguments
    ](c.TestPromptWithEmbeddedResourceArguments, test_prompt_with_embedded_resource),
    "test_prompt_with_image": Prompt[c.TestPromptWithImageArguments](
        c.TestPromptWithImageArguments, test_prompt_with_image
    ),
    "test_input_required_result_prompt": Prompt[
        c.TestInputRequiredResultPromptArguments
    ](c.TestInputRequiredResultPromptArguments, test_input_required_result_prompt),
}


def create_server(
    call_time: float = 600, threads: int = 128, tasks_file: str = ":memory:"
) -> Server[Shared]:
    """Return the server, ready for a transport to run.

    `call_time` is in seconds. `threads` is how many plain `def` handlers run at once.
    `tasks_file` is where tasks are kept.
    """
    calls = Calls(call_time, threads)
    tools = Tools(CATALOG["tools"], TOOLS, c.Context, calls, schema=ChoiceSchema)
    tasks = Tasks(TASKS, tools, tasks_file)
    skills = Skills(*SKILLS)
    resources = Resources(
        CATALOG["contents"] | skills.contents,
        RESOURCES,
        RESOURCE_TEMPLATES,
        c.Context,
        calls,
    )
    prompts = Prompts(
        CATALOG["prompts"], CATALOG["messages"], PROMPTS, c.Context, calls
    )
    completions = Completions(CATALOG, complete_argument, c.Context, calls)
    # The SDK compares these arguments with headers: it walks through the schema.
    headed = {
        tool["name"]: tool["inputSchema"]
        for tool in CATALOG["tools"]
        if "x-mcp-header" in str(tool["inputSchema"])
    }
    info = Implementation.model_validate(CATALOG["serverInfo"])
    server = Server(
        **dict(info),
        instructions=CATALOG["instructions"] or None,
        cache_hints={
            "tools/list": CacheHint(ttl_ms=60000, scope="public"),
            "resources/read": CacheHint(ttl_ms=1000, scope="private"),
        },
        lifespan=lambda _: tasks.around(lifespan()),
        on_list_tools=tools.list,
        on_call_tool=tasks.call,
        get_tool_input_schema=headed.get,
        on_list_resources=resources.list,
        on_list_resource_templates=resources.list_templates,
        on_read_resource=resources.read,
        on_list_prompts=prompts.list,
        on_get_prompt=prompts.get,
        on_completion=completions.answer,
    )
    server.middleware.clear()  # The SDK's spans have texts of errors.
    # What clients carry from one round of questions to the next is sealed.
    sealed = RequestStateSecurity.ephemeral()
    server.middleware.append(RequestStateBoundary(sealed, default_audience=info.name))
    c.CHANGES.attach(server)  # Before the catalog fills in the lists.
    skills.attach(server)
    tasks.attach(server)
    server.middleware.append(CATALOG.verbatim)
    attach_logs(server)
    server.middleware.append(ask_first)
    return server
