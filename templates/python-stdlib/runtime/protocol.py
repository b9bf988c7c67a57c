"""MCP over JSON-RPC: dispatch requests to handlers, in both eras of the protocol.

Up to 2025-11-25 (legacy), a client begins with `initialize`, and what it says there holds
for all that follows. Since 2026-07-28 (modern), each request says all that it needs.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from time import monotonic
from types import NoneType
from typing import Any, NoReturn

MODERN = "2026-07-28"
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR = -32602, -32603
MISSING_CAPABILITY, UNSUPPORTED_VERSION = -32021, -32022
META = "io.modelcontextprotocol/"
# Results that modern clients may keep; none does, unless the spec has other hints.
CACHEABLE = ["tools/list", "prompts/list", "resources/list", "resources/read"]
CACHEABLE += ["resources/templates/list", "server/discover"]
UNCACHED = {"ttlMs": 0, "cacheScope": "private"}

Json = dict[str, Any]
Handle = Callable[["Request"], Mapping[str, Any] | None]


class MCPError(Exception):
    """A request is answered with an error of JSON-RPC."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data

    @property
    def object(self) -> Json:
        data = {} if self.data is None else {"data": self.data}
        return {"code": self.code, "message": self.message, **data}


class Unfinished(BaseException):
    """Ends a handler with a result that asks the client. Handlers must not catch it."""

    def __init__(self, result: Json) -> None:
        self.result = result


class Feature:
    """A part of the server: what it can do, and the methods by which clients ask for it."""

    capabilities: Mapping[str, Json] = {}
    methods: Mapping[str, Handle] = {}
    legacy_methods: Mapping[str, Handle] = {}
    """Those for clients of the older era alone."""
    hidden: Mapping[str, set[str]] = {}
    """By kind, the names of entries that do not exist for clients."""
    server: Server
    """Set by the server."""


class Request:
    """A request of the client, until it is answered."""

    def __init__(
        self, server: Server, number: int | str, method: str, given: object
    ) -> None:
        self.server, self.number = server, number
        self.method, self.given = method, given
        self.params: Json = given if isinstance(given, dict) else {}
        meta = self.params.get("_meta")
        self.meta: Json = meta if isinstance(meta, dict) else {}
        self.is_modern = META + "protocolVersion" in self.meta
        self.capabilities = server.client_capabilities
        self.ends_at = float("inf")
        self.late: Callable[[], Json] = dict
        """Makes its result when its time has passed."""
        self.give_up: Callable[[], object] = lambda: None
        """Stops what is being done for it."""

    @property
    def is_open(self) -> bool:
        """Whether it is neither answered nor cancelled."""
        return self.server.calls.get(self.number) is self

    def text(self, name: str, of: Json | None = None) -> str:
        """Return a parameter that must be a text."""
        value = (self.params if of is None else of).get(name)
        if not isinstance(value, str):
            raise MCPError(INVALID_PARAMS, f"{name} must be a string")
        return value

    def answer(self) -> bytes | None:
        """Return the answer, or None if there is none: not yet, or never."""
        try:
            return self.result() if self.is_open else None
        except MCPError as error:
            return self.failure(error)

    def result(self) -> bytes | None:
        try:
            result = self.server.handle(self)
            return None if result is None else self.success(result)
        except Unfinished as end:
            return self.success(end.result)
        except MCPError:
            raise
        except Exception as error:
            logger().exception("%s failed, %s", self.method, token := reference())
            raise MCPError(INTERNAL_ERROR, f"Internal error, {token}") from error

    def success(self, result: Mapping[str, Any]) -> bytes:
        if self.is_modern:
            meta = {**result.get("_meta", {}), META + "serverInfo": self.server.name}
            if "resultType" not in result:
                hints = self.server.hints.get(self.method, {})
                result = {"resultType": "complete", **result, **hints}
            result = {**result, "_meta": meta}
        return encoded({"jsonrpc": "2.0", "id": self.number, "result": result})

    def failure(self, error: MCPError) -> bytes:
        return encoded({"jsonrpc": "2.0", "id": self.number, "error": error.object})

    def end(self, line: bytes | None) -> None:
        """Send the answer, unless the request has been answered or cancelled."""
        if line and self.server.calls.pop(self.number, None) is self:
            self.server.send(line)

    def notify(self, method: str, params: Json) -> None:
        """Send a notification, as long as the request is open."""
        if self.is_open:
            self.server.notify(method, params)

    def limit(self, seconds: float, late: Callable[[], Json]) -> None:
        """Answer with another result when so many seconds have passed."""
        self.late, self.ends_at = late, monotonic() + seconds


class Server:
    """What is known of the client, and what is being done for it."""

    send: Callable[[bytes], None]
    """Sends a line; set by the transport."""
    loop: Any = None
    """The event loop of handlers, if they may need one."""

    def __init__(
        self,
        catalog: Json,
        lifespan: Callable[[], AbstractAsyncContextManager[Any]],
        *features: Feature,
        cache: Mapping[str, Json] = {},
    ) -> None:
        self.info: Json = catalog["serverInfo"]
        self.name = {key: self.info[key] for key in ("name", "version")}
        text = catalog.get("instructions")
        self.instructions = {"instructions": text} if text else {}
        self.lifespan = lifespan
        self.shared: Any = None
        self.features = features
        self.capabilities: dict[str, Json] = {}
        # What only clients of one era may ask for is refused to the others.
        self.methods: dict[str, Handle] = {"server/discover": self.discover}
        self.legacy: dict[str, Handle] = {
            "ping": lambda request: {},
            "initialize": self.initialize,
        }
        for feature in features:
            for key, value in feature.capabilities.items():
                self.capabilities[key] = {**self.capabilities.get(key, {}), **value}
            self.methods |= feature.methods
            self.legacy |= feature.legacy_methods
            feature.server = self
        self.capabilities |= catalog.get("capabilities", {})
        self.call_time: float = 600
        self.message_size = 4 * 2**20
        self.version = ""
        self.client_capabilities: Json = {}
        self.calls: dict[int | str, Request] = {}
        self.asked: dict[str, Callable[[Json], object]] = {}
        """What is done with the answers to our own requests."""
        self.begun = threading.Event()
        self.hints = {method: UNCACHED for method in CACHEABLE} | dict(cache)

    def receive(self, line: bytes) -> Request | None:
        """Take a message, and return it if it is a request that takes time."""
        try:
            message = decoded(line, self.message_size)
        except MCPError as error:
            if line.strip():
                answer = {"jsonrpc": "2.0", **early_id(line), "error": error.object}
                self.send(encoded(answer))
            return None
        number, method = message.get("id"), message.get("method")
        params = message.get("params")
        if method is None:
            if done := self.asked.pop(str(number), None):
                done(message)
        elif "id" not in message:
            if method == "notifications/cancelled" and isinstance(params, dict):
                self.cancel(params.get("requestId"))
        else:
            assert isinstance(number, int | str) and isinstance(method, str)
            return self.begin(Request(self, number, method, params))
        return None

    def begin(self, request: Request) -> Request | None:
        """Answer what is answered before the next message is read; return the rest."""
        if self.calls.setdefault(request.number, request) is not request:
            text = f"Another request is {request.number!r:.50}"
            self.send(request.failure(MCPError(INVALID_REQUEST, text)))
        elif request.method in ("initialize", "ping"):
            request.end(request.answer())
        else:
            if not self.begun.is_set():
                self.begun.set()
            return request
        return None

    def handle(self, request: Request) -> Mapping[str, Any] | None:
        """Return the result of a request, once it is clear that it may be made."""
        method = request.method
        if not isinstance(request.given, dict | NoneType):
            raise MCPError(INVALID_PARAMS, "params must be an object")
        if request.is_modern:
            capabilities = request.meta.get(META + "clientCapabilities")
            if not isinstance(capabilities, dict):
                raise MCPError(INVALID_PARAMS, f"_meta lacks {META}clientCapabilities")
            request.capabilities = capabilities
            if (version := request.meta[META + "protocolVersion"]) != MODERN:
                data = {"supported": [MODERN], "requested": version}
                text = "Unsupported protocol version"
                raise MCPError(UNSUPPORTED_VERSION, text, data)
            handle = self.methods.get(method)
        else:
            handle = self.methods.get(method) or self.legacy.get(method)
            is_first = method in ("initialize", "ping")
            if method == "server/discover" or (
                handle and not self.version and not is_first
            ):
                text = f"Send initialize first, or _meta of {MODERN} with each request"
                raise MCPError(INVALID_PARAMS, text)
        if handle is None:
            raise MCPError(METHOD_NOT_FOUND, f"Method not found: {method:.100}")
        return handle(request)

    def initialize(self, request: Request) -> Json:
        version = request.text("protocolVersion")
        self.version = version if version in LEGACY else LEGACY[0]
        offered = request.params.get("capabilities")
        self.client_capabilities = offered if isinstance(offered, dict) else {}
        return {
            "protocolVersion": self.version,
            "capabilities": self.capabilities,
            "serverInfo": self.info,
            **self.instructions,
        }

    def discover(self, request: Request) -> Json:
        return {
            "supportedVersions": [MODERN],
            "capabilities": self.capabilities,
            **self.instructions,
        }

    def hides(self, kind: str, name: str) -> bool:
        """Return whether an entry does not exist for clients."""
        return any(name in feature.hidden.get(kind, ()) for feature in self.features)

    def notify(self, method: str, params: Json) -> None:
        self.send(encoded({"jsonrpc": "2.0", "method": method, "params": params}))

    def cancel(self, number: object) -> None:
        """Give a request up, without an answer."""
        if isinstance(number, int | str) and (request := self.calls.pop(number, None)):
            request.give_up()

    def end_overdue(self) -> None:
        """Answer the requests whose time has passed."""
        now = monotonic()
        for request in list(self.calls.values()):
            if request.ends_at < now:
                request.end(request.success(request.late()))
                request.give_up()


def listed(key: str, entries: list[Json], legacy: list[Json] | None = None) -> Handle:
    """Return what answers a list, which is one page."""

    def answer(request: Request) -> Json:
        if request.params.get("cursor") is not None:
            raise MCPError(INVALID_PARAMS, "Unknown cursor: every list is one page")
        every = entries if request.is_modern or legacy is None else legacy
        hides = request.server.hides
        return {key: [entry for entry in every if not hides(key, known_by(entry))]}

    return answer


def known_by(entry: Json) -> str:
    """Return what clients call an entry: a resource's URI, or a name."""
    name: str = entry["uri"] if "uri" in entry else entry["name"]
    return name


def decoded(line: bytes, longest: int) -> Json:
    """Return a message, of whose parts only the parameters may be anything."""
    if len(line) > longest:
        raise MCPError(INVALID_REQUEST, "The message is too long")
    try:
        message = DECODER.decode(line.decode())
    except (ValueError, RecursionError):
        raise MCPError(PARSE_ERROR, "Parse error") from None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise MCPError(INVALID_REQUEST, "Not a JSON-RPC 2.0 message")
    if "method" not in message and ("result" in message or "error" in message):
        return message  # A response is never answered, not even a broken one.
    if "id" in message and type(message["id"]) not in (int, str):
        raise MCPError(INVALID_REQUEST, "The id must be a string or an integer")
    if not isinstance(message.get("method"), str):
        raise MCPError(INVALID_REQUEST, "The method must be a string")
    return message


def early_id(line: bytes) -> Json:
    """Return the id of a line that is no message, if it comes before the parameters."""
    text = r'\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*'
    match = re.match(text + r'("[^"\\]*"|[0-9]+)\s*[,}]', line[:1000].decode("latin"))
    return {"id": json.loads(match[1])} if match else {}


def refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def finite(text: str) -> float:
    number = float(text)
    return refuse(text) if number in (float("inf"), float("-inf")) else number


DECODER = json.JSONDecoder(parse_constant=refuse, parse_float=finite)
ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encoded(message: Mapping[str, Any]) -> bytes:
    return ENCODER.encode(message).encode("utf-8", "replace")


def reference() -> str:
    """Return what tells the lines of the log that belong to an error."""
    return f"reference {os.urandom(4).hex()}"


def logger() -> Any:
    """Return the log of the server. What makes it takes a third of the time of a start."""
    import logging

    return logging.getLogger(__package__)
