# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""What changes while the server runs, and who is told of it."""

from collections.abc import Collection
from contextlib import suppress
from typing import Any, Literal

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

List = Literal["tools", "resources", "prompts"]
LIST_CHANGED: dict[List, ServerEvent] = {
    "tools": ToolsListChanged(),
    "resources": ResourcesListChanged(),
    "prompts": PromptsListChanged(),
}
HIDDEN: dict[str, set[str]] = {kind: set() for kind in LIST_CHANGED}


async def hide(kind: List, name: str) -> None:
    """Take an entry off its list, a resource by its URI, and tell the clients."""
    HIDDEN[kind].add(name)
    await BUS.publish(LIST_CHANGED[kind])


async def show(kind: List, name: str) -> None:
    """Put a hidden entry back on its list, and tell the clients."""
    HIDDEN[kind].discard(name)
    await BUS.publish(LIST_CHANGED[kind])


async def resource_updated(uri: str) -> None:
    """Tell the clients that subscribed to a resource that its content has changed."""
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
    """Refuse more than a client may have the server remember."""
    if len(uris) > MOST_SUBSCRIPTIONS:
        raise MCPError(types.INVALID_PARAMS, "Too many subscriptions")
    if any(len(uri) > LONGEST_URI for uri in uris):
        raise MCPError(types.INVALID_PARAMS, "A URI is too long to subscribe to")


async def listen(
    ctx: Request, params: types.SubscriptionsListenRequestParams
) -> types.SubscriptionsListenResult:
    """Tell a client of what it asks for, as far as this server tells it."""
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
    """Tell a client from before 2026-07-28 of changes, for as long as it is connected."""
    connection = connection_of(ctx)
    if connection.is_followed:
        return
    connection.is_followed = True
    send, receive = anyio.create_memory_object_stream[ServerEvent](1000)

    def deliver(event: ServerEvent) -> None:
        wanted = connection.subscriptions
        if isinstance(event, ResourceUpdated) and event.uri not in wanted:
            return
        with suppress(anyio.WouldBlock):  # The client does not read any more.
            send.send_nowait(event)

    stop = BUS.subscribe(deliver)
    try:
        async for event in receive:
            await ctx.session.send_notification(event_to_notification(event, {}))
    finally:
        stop()
