# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The arguments and results of the handlers."""

from typing import TYPE_CHECKING, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from conformance._generated.contract import ToolResult


class Model(BaseModel):
    """An object that fits its schema, with its properties as attributes.

    An optional property that is absent is None; `model_fields_set` tells it from null.
    `model_extra` has properties that the schema does not name. Of a result, only the
    attributes that were set are sent.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        validate_by_name=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
        defer_build=True,
    )


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


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that handlers import it."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
