"""Changes while the server runs: hidden entries, and what clients are told of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .protocol import (
    INVALID_PARAMS,
    META,
    Feature,
    Handle,
    Json,
    MCPError,
    Request,
    known_by,
)

Kind = Literal["tools", "prompts", "resources"]
MAX_SUBSCRIPTIONS = 1024
LONGEST_URI = 2048


class Changes(Feature):
    """Followers: a legacy client itself, and each `subscriptions/listen` of a modern one."""

    def __init__(self) -> None:
        self.names: dict[str, set[str]] = {}
        self.hidden: dict[str, set[str]] = {}
        self.uris: set[str] = set()
        self.listeners: dict[int | str, tuple[Request, Json]] = {}
        self.capabilities: dict[str, Json] = {}
        self.methods: dict[str, Handle] = {"subscriptions/listen": self.listen}
        self.legacy_methods: dict[str, Handle] = {}

    def follow(self, catalog: Json, kinds: Sequence[Kind], subscribe: bool) -> Changes:
        """Return itself, as the feature after those whose entries can be hidden."""
        for kind in kinds:
            self.names[kind] = {*map(known_by, catalog[kind])}
            self.hidden[kind] = set()
            self.capabilities[kind] = {"listChanged": True}
        if subscribe:
            self.capabilities.setdefault("resources", {})["subscribe"] = True
            self.legacy_methods["resources/subscribe"] = self.add
            self.legacy_methods["resources/unsubscribe"] = self.remove
        return self

    def known(self, kind: str, name: str) -> str:
        """Return a name that the spec has, or raise ValueError."""
        if name not in (names := self.names.get(kind, set())):
            raise ValueError(f"{name!r} is not among the {kind}: {', '.join(names)}")
        return name

    def publish(self, method: str, params: Json, key: str) -> None:
        """Tell all who follow: a `uri` those that have subscribed to it."""
        uri = params.get("uri")
        server = getattr(self, "server", None)  # A handler may run without one.
        if server and server.version and (uri is None or uri in self.uris):
            server.notify(method, params)
        for request, wanted in list(self.listeners.values()):
            if wanted.get(key) is True or uri in wanted.get(key, ()):
                self.tell(request, method, params)

    def tell(self, request: Request, method: str, params: Json) -> None:
        meta = {META + "subscriptionId": request.number}
        request.notify(method, {**params, "_meta": meta})

    def add(self, request: Request) -> Json:
        check_size({*self.uris, request.text("uri")})
        self.uris.add(request.text("uri"))
        return {}

    def remove(self, request: Request) -> Json:
        self.uris.discard(request.text("uri"))
        return {}

    def listen(self, request: Request) -> None:
        """Acknowledge what will be told. The answer would be the end, so there is none yet."""
        wanted = request.params.get("notifications")
        if len(self.listeners) >= MAX_SUBSCRIPTIONS:
            raise MCPError(INVALID_PARAMS, "Too many subscriptions")
        if not isinstance(wanted, dict):
            raise MCPError(INVALID_PARAMS, "notifications must be an object")
        keys = [f"{kind}ListChanged" for kind in self.names]
        honoured: Json = {key: True for key in keys if wanted.get(key) is True}
        uris = wanted.get("resourceSubscriptions")
        if "resources/subscribe" in self.legacy_methods and isinstance(uris, list):
            honoured["resourceSubscriptions"] = [u for u in uris if isinstance(u, str)]
            check_size({*honoured["resourceSubscriptions"]})
        request.give_up = lambda: self.listeners.pop(request.number, None)
        method = "notifications/subscriptions/acknowledged"
        self.tell(request, method, {"notifications": honoured})
        self.listeners[request.number] = request, honoured
        request.given, request.params, request.meta = {}, {}, {}  # They may be long.


CHANGES = Changes()


async def hide(kind: Kind, name: str) -> None:
    """Remove an entry (a resource by its URI) from its list, and notify clients."""
    CHANGES.hidden[kind].add(CHANGES.known(kind, name))
    CHANGES.publish(f"notifications/{kind}/list_changed", {}, f"{kind}ListChanged")


async def show(kind: Kind, name: str) -> None:
    """Put a hidden entry back on its list, and notify clients."""
    CHANGES.hidden[kind].discard(CHANGES.known(kind, name))
    CHANGES.publish(f"notifications/{kind}/list_changed", {}, f"{kind}ListChanged")


async def resource_updated(uri: str) -> None:
    """Notify the clients that subscribed to a resource of a change of its content."""
    method = "notifications/resources/updated"
    CHANGES.publish(method, {"uri": uri}, "resourceSubscriptions")


def check_size(uris: set[str]) -> None:
    """Raise MCPError if a client subscribes to more than the server should remember."""
    if len(uris) > MAX_SUBSCRIPTIONS:
        raise MCPError(INVALID_PARAMS, "Too many subscriptions")
    if any(len(uri) > LONGEST_URI for uri in uris):
        raise MCPError(INVALID_PARAMS, "A URI is too long to subscribe to")
