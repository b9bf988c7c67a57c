# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What each handler is given, and what it may return."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    NotRequired,
    TypeAlias,
    TypedDict,
    TypeVar,
)

from mcp.server import ServerRequestContext
from mcp_types import (
    CallToolResult,
    ContentBlock,
    GetPromptResult,
    PromptMessage,
    ReadResourceResult,
)

if TYPE_CHECKING:
    from conformance._generated.client import Client
    from conformance.lifespan import Shared


class TestSimpleTextArguments(TypedDict):
    pass


class TestImageContentArguments(TypedDict):
    pass


class TestAudioContentArguments(TypedDict):
    pass


class TestEmbeddedResourceArguments(TypedDict):
    pass


class TestResourceLinkArguments(TypedDict):
    pass


class TestMultipleContentTypesArguments(TypedDict):
    pass


class TestErrorHandlingArguments(TypedDict):
    pass


class TestToolWithLoggingArguments(TypedDict):
    pass


class TestToolWithProgressArguments(TypedDict):
    pass


class TestReconnectionArguments(TypedDict):
    pass


class TestLoggingToolArguments(TypedDict):
    pass


class JsonSchema202012ToolArguments(TypedDict):
    name: NotRequired[str]
    address: NotRequired[JsonSchema202012ToolArgumentsAddress]
    contactMethod: NotRequired[Literal["phone", "email"]]
    phone: NotRequired[str]
    email: NotRequired[str]


class JsonSchema202012ToolArgumentsAddress(TypedDict):
    street: NotRequired[str]
    city: NotRequired[str]


class TestXMcpHeaderArguments(TypedDict):
    region: str


class TestSamplingArguments(TypedDict):
    prompt: str


class TestElicitationArguments(TypedDict):
    message: str


class TestElicitationSep1034DefaultsArguments(TypedDict):
    pass


class TestElicitationSep1330EnumsArguments(TypedDict):
    pass


class TestStreamingElicitationArguments(TypedDict):
    pass


class TestMissingCapabilityArguments(TypedDict):
    pass


class TestInputRequiredResultElicitationArguments(TypedDict):
    pass


class TestInputRequiredResultSamplingArguments(TypedDict):
    pass


class TestInputRequiredResultListRootsArguments(TypedDict):
    pass


class TestInputRequiredResultRequestStateArguments(TypedDict):
    pass


class TestInputRequiredResultTamperedStateArguments(TypedDict):
    pass


class TestInputRequiredResultMultipleInputsArguments(TypedDict):
    pass


class TestInputRequiredResultMultiRoundArguments(TypedDict):
    pass


class TestInputRequiredResultCapabilitiesArguments(TypedDict):
    pass


class TestTriggerToolChangeArguments(TypedDict):
    pass


class TestTriggerPromptChangeArguments(TypedDict):
    pass


class TestTriggerResourceChangeArguments(TypedDict):
    pass


class TestTriggerResourceUpdateArguments(TypedDict):
    pass


class TestComingAndGoingArguments(TypedDict):
    pass


class TemplateArguments(TypedDict):
    id: str


class TestPromptWithEmbeddedResourceArguments(TypedDict):
    resourceUri: str
    """The URI of the resource."""


class TestPromptWithImageArguments(TypedDict):
    pass


class TestInputRequiredResultPromptArguments(TypedDict):
    pass


@dataclass(frozen=True)
class Context:
    """What a handler may use besides its arguments."""

    shared: Shared
    """What `lifespan.py` opened."""
    request: ServerRequestContext[Shared]
    """The SDK's view of the request: its id, its metadata, the client's session."""
    client: Client
    """What can be asked of the client and told to it."""


ToolResult: TypeAlias = (
    str
    | Mapping[str, Any]
    | ContentBlock
    | Sequence[ContentBlock]
    | CallToolResult
    | None
)
"""Text, a JSON object, content blocks, a whole result, or nothing to say."""

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

ResourceResult: TypeAlias = str | bytes | ReadResourceResult
"""Text, binary data, or a whole result."""

PromptResult: TypeAlias = str | Sequence[PromptMessage] | GetPromptResult
"""Text of one user message, messages, or a whole result."""

Arguments = TypeVar("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Tool(Generic[Arguments, Result]):
    """A tool's handler: `async def`, or a plain `def` that gets a thread of its own."""

    handler: Callable[
        [Arguments, Context],
        Awaitable[Result | CallToolResult] | Result | CallToolResult,
    ]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Filled in where the client leaves an argument out."""
    timeout: float | None = None
    """Seconds that a call may take."""


@dataclass(frozen=True)
class Resource:
    """The handler of a resource."""

    handler: Callable[[Context], Awaitable[ResourceResult] | ResourceResult]
    mime_type: str | None = None


@dataclass(frozen=True)
class ResourceTemplate(Generic[Arguments]):
    """The handler of a resource template: its arguments are the variables of the URI."""

    handler: Callable[[Arguments, Context], Awaitable[ResourceResult] | ResourceResult]
    mime_type: str | None = None
    unsafe: bool = False
    """Whether a variable may lead out of a folder, by `../`, `/` or NUL."""


@dataclass(frozen=True)
class Prompt(Generic[Arguments]):
    """The handler of a prompt."""

    handler: Callable[[Arguments, Context], Awaitable[PromptResult] | PromptResult]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        """Stand in for a type that the spec no longer has, so that the server starts."""
        if name.startswith("__"):
            raise AttributeError(name)
        return dict
