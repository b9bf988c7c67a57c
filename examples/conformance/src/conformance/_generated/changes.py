# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Changes while the server runs: hidden entries, and notifications to clients."""

from collections.abc import Collection
from contextlib import suppress
from typing import Any, Literal, TypeAlias, get_args, overload

import anyio
import mcp_types as types
from mcp.server import ServerRequestContext
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import event_to_notification

from conformance._generated.connections import connection_of

Request = ServerRequestContext[Any]

BUS = InMemorySubscriptionBus()
LISTENER = ListenHandler(BUS)
MOST_SUBSCRIPTIONS = 1024
LONGEST_URI = 2048

ToolName: TypeAlias = Literal[
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
]
ResourceUri: TypeAlias = Literal[
    "test://static-text",
    "test://static-binary",
    "test://watched-resource",
    "test://coming-and-going",
]
PromptName: TypeAlias = Literal[
    "test_simple_prompt",
    "test_prompt_with_arguments",
    "test_prompt_with_embedded_resource",
    "test_prompt_with_image",
    "test_input_required_result_prompt",
    "test_coming_and_going_prompt",
]
LIST_CHANGED: dict[str, ServerEvent] = {
    "tools": ToolsListChanged(),
    "resources": ResourcesListChanged(),
    "prompts": PromptsListChanged(),
}
NAMES: dict[str, tuple[str, ...]] = {
    "tools": get_args(ToolName),
    "resources": get_args(ResourceUri),
    "prompts": get_args(PromptName),
}
HIDDEN: dict[str, set[str]] = {kind: set() for kind in NAMES}


@overload
async def hide(kind: Literal["tools"], name: ToolName) -> None: ...
@overload
async def hide(kind: Literal["resources"], name: ResourceUri) -> None: ...
@overload
async def hide(kind: Literal["prompts"], name: PromptName) -> None: ...
async def hide(kind: str, name: str) -> None:
    """Remove an entry (a resource by its URI) from its list, and notify clients."""
    HIDDEN[kind].add(known(kind, name))
    await BUS.publish(LIST_CHANGED[kind])


@overload
async def show(kind: Literal["tools"], name: ToolName) -> None: ...
@overload
async def show(kind: Literal["resources"], name: ResourceUri) -> None: ...
@overload
async def show(kind: Literal["prompts"], name: PromptName) -> None: ...
async def show(kind: str, name: str) -> None:
    """Put a hidden entry back on its list, and notify clients."""
    HIDDEN[kind].discard(known(kind, name))
    await BUS.publish(LIST_CHANGED[kind])


def known(kind: str, name: str) -> str:
    """Return a name that the spec has, or raise ValueError."""
    if name not in (names := NAMES[kind]):
        raise ValueError(f"{name!r} is not among the {kind}: {', '.join(names)}")
    return name


async def resource_updated(uri: str) -> None:
    """Notify the clients that subscribed to a resource of a change of its content."""
    await BUS.publish(ResourceUpdated(uri))


async def subscribe(
    ctx: Request, params: types.SubscribeRequestParams
) -> types.EmptyResult:
    subscriptions = connection_of(ctx).subscriptions
    check_size({*subscriptions, params.uri})
    subscriptions.add(params.uri)
    return types.EmptyResult()


async def unsubscribe(
    ctx: Request, params: types.UnsubscribeRequestParams
) -> types.EmptyResult:
    connection_of(ctx).subscriptions.discard(params.uri)
    return types.EmptyResult()


def check_size(uris: Collection[str]) -> None:
    """Raise MCPError if a client subscribes to more than the server should remember."""
    if len(uris) > MOST_SUBSCRIPTIONS:
        raise MCPError(types.INVALID_PARAMS, "Too many subscriptions")
    if any(len(uri) > LONGEST_URI for uri in uris):
        raise MCPError(types.INVALID_PARAMS, "A URI is too long to subscribe to")


async def listen(
    ctx: Request, params: types.SubscriptionsListenRequestParams
) -> types.SubscriptionsListenResult:
    """Send a client the notifications it asks for, of those that this server has."""
    asked = params.notifications
    check_size(asked.resource_subscriptions or ())
    granted = types.SubscriptionFilter(
        tools_list_changed=asked.tools_list_changed,
        prompts_list_changed=asked.prompts_list_changed,
        resources_list_changed=asked.resources_list_changed,
        resource_subscriptions=asked.resource_subscriptions,
    )
    return await LISTENER(ctx, params.model_copy(update={"notifications": granted}))


async def follow(ctx: Request, params: types.NotificationParams) -> None:
    """Notify a client from before 2026-07-28 of changes while it is connected."""
    if ctx.session.client_params is None:  # There was no handshake.
        return
    connection = connection_of(ctx)
    if connection.is_followed:
        return
    connection.is_followed = True
    send, receive = anyio.create_memory_object_stream[ServerEvent](1000)

    def deliver(event: ServerEvent) -> None:
        wanted = connection.subscriptions
        if isinstance(event, ResourceUpdated) and event.uri not in wanted:
            return
        with suppress(anyio.WouldBlock):  # The client has stopped reading.
            send.send_nowait(event)

    stop = BUS.subscribe(deliver)
    try:
        async for event in receive:
            await ctx.session.send_notification(event_to_notification(event, {}))
    finally:
        stop()
