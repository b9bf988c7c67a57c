"""Changes while the server runs: hidden entries, and notifications to clients."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

import anyio
import mcp_types as types
from mcp.server import Server
from mcp.server.context import CallNext, HandlerResult
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    SubscriptionBus,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import event_to_notification
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from .connections import connection_of
from .handlers import Request

LIST_CHANGED: Mapping[str, ServerEvent] = {
    "tools": ToolsListChanged(),
    "resources": ResourcesListChanged(),
    "prompts": PromptsListChanged(),
}
# The code before 2026-07-28 (MCP 2025-11-25, server/resources, error handling).
NOT_FOUND = -32002
GREETINGS = ("initialize", "server/discover")
KEYS = {"tools/call": "tools", "resources/read": "resources", "prompts/get": "prompts"}
MOST_SUBSCRIPTIONS = 1024
LONGEST_URI = 2048
# Events that a client has not read yet; later ones are dropped.
MOST_EVENTS = 1000


class Changes:
    """Which entries are hidden, and which client is told of what.

    `names` has the entries of each list that changes; `subscribe` says whether clients
    may subscribe to resources.
    """

    def __init__(
        self,
        names: Mapping[str, Collection[str]],
        subscribe: bool = False,
        bus: SubscriptionBus | None = None,
    ) -> None:
        self.names = names
        self.hidden: dict[str, set[str]] = {kind: set() for kind in names}
        self.subscribe_to_resources = subscribe
        self.bus = bus or InMemorySubscriptionBus()
        self.listener = ListenHandler(self.bus)

    def attach(self, server: Server[Any]) -> None:
        """Serve subscriptions in both eras, and leave out what is hidden."""
        server.add_request_handler(
            "subscriptions/listen", types.SubscriptionsListenRequestParams, self.listen
        )
        server.add_notification_handler(
            "notifications/initialized", types.NotificationParams, self.follow
        )
        if self.subscribe_to_resources:
            server.add_request_handler(
                "resources/subscribe", types.SubscribeRequestParams, self.subscribe
            )
            server.add_request_handler(
                "resources/unsubscribe",
                types.UnsubscribeRequestParams,
                self.unsubscribe,
            )
        server.middleware.append(self.left_out)

    async def hide(self, kind: str, name: str) -> None:
        """Remove an entry (a resource by its URI) from its list, and notify clients."""
        self.hidden[kind].add(self.known(kind, name))
        await self.bus.publish(LIST_CHANGED[kind])

    async def show(self, kind: str, name: str) -> None:
        """Put a hidden entry back on its list, and notify clients."""
        self.hidden[kind].discard(self.known(kind, name))
        await self.bus.publish(LIST_CHANGED[kind])

    def known(self, kind: str, name: str) -> str:
        """Return a name that the spec has, or raise ValueError."""
        if name not in (names := self.names[kind]):
            raise ValueError(f"{name!r} is not among the {kind}: {', '.join(names)}")
        return name

    async def resource_updated(self, uri: str) -> None:
        """Notify the clients that subscribed to a resource of a change of its content."""
        await self.bus.publish(ResourceUpdated(uri))

    async def left_out(self, ctx: Request, call_next: CallNext) -> HandlerResult:
        """Middleware that announces changes, and for which a hidden entry does not exist."""
        kind, params = KEYS.get(ctx.method, ""), ctx.params or {}
        asked = params.get("uri" if kind == "resources" else "name")
        if isinstance(asked, str) and asked in self.hidden.get(kind, ()):
            if kind == "resources":
                is_modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
                code = types.INVALID_PARAMS if is_modern else NOT_FOUND
                raise MCPError(code, "Resource not found", {"uri": asked})
            words = f"Unknown {kind.removesuffix('s')}: {asked}"
            raise MCPError(types.INVALID_PARAMS, words)
        result = await call_next(ctx)
        if isinstance(result, dict) and ctx.method in GREETINGS:
            # The SDK would announce changes of all, or up to 2025-11-25 of none.
            for kind, offer in result["capabilities"].items():
                if "listChanged" in offer:
                    offer["listChanged"] = kind in self.names
                if "subscribe" in offer:
                    offer["subscribe"] = self.subscribe_to_resources
        if isinstance(result, dict) and ctx.method.endswith("/list"):
            for key in self.hidden.keys() & result.keys():
                shown = [e for e in result[key] if named(e) not in self.hidden[key]]
                result[key] = shown
        return result

    async def subscribe(
        self, ctx: Request, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        subscriptions = connection_of(ctx).subscriptions
        check_size({*subscriptions, params.uri})
        subscriptions.add(params.uri)
        return types.EmptyResult()

    async def unsubscribe(
        self, ctx: Request, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        connection_of(ctx).subscriptions.discard(params.uri)
        return types.EmptyResult()

    async def listen(
        self, ctx: Request, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Send a client the notifications it asks for, of those that this server has."""
        asked = params.notifications
        check_size(asked.resource_subscriptions or ())
        offered = {f"{kind}_list_changed" for kind in self.names}
        if self.subscribe_to_resources:
            offered.add("resource_subscriptions")
        granted = types.SubscriptionFilter.model_validate(
            {name: getattr(asked, name) for name in offered}, by_name=True
        )
        update = {"notifications": granted}
        return await self.listener(ctx, params.model_copy(update=update))

    async def follow(self, ctx: Request, params: types.NotificationParams) -> None:
        """Notify a client from before 2026-07-28 of changes while it is connected."""
        if ctx.session.client_params is None:  # There was no handshake.
            return
        connection = connection_of(ctx)
        if connection.is_followed or ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return
        connection.is_followed = True
        send, receive = anyio.create_memory_object_stream[ServerEvent](MOST_EVENTS)

        def deliver(event: ServerEvent) -> None:
            wanted = connection.subscriptions
            if isinstance(event, ResourceUpdated) and event.uri not in wanted:
                return
            with suppress(anyio.WouldBlock):  # The client has stopped reading.
                send.send_nowait(event)

        with send, receive:
            stop = self.bus.subscribe(deliver)
            try:
                async for event in receive:
                    message = event_to_notification(event, {})
                    await ctx.session.send_notification(message)
            finally:
                stop()


def named(entry: dict[str, Any]) -> str:
    """Return what clients call an entry: a resource's URI, or a name."""
    name: str = entry.get("uri", entry["name"])
    return name


def check_size(uris: Collection[str]) -> None:
    """Raise MCPError if a client subscribes to more than the server should remember."""
    if len(uris) > MOST_SUBSCRIPTIONS:
        raise MCPError(types.INVALID_PARAMS, "Too many subscriptions")
    if any(len(uri) > LONGEST_URI for uri in uris):
        raise MCPError(types.INVALID_PARAMS, "A URI is too long to subscribe to")
