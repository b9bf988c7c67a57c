"""A strict check of messages against the types of the official SDK, each in its protocol version.

The types ignore what they do not know, as a client must. So a message that is valid is written
back, and every key that did not come back is a fault. Up to 2025-11-25 the SDK has one set of
types for all versions; `NEWER` in `tests.raw_client` holds what none of those may carry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args

from mcp_types import methods
from mcp_types.jsonrpc import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse
from pydantic import TypeAdapter, ValidationError

_ENVELOPES: Mapping[type, set[str]] = {
    JSONRPCRequest: {"jsonrpc", "id", "method", "params"},
    JSONRPCNotification: {"jsonrpc", "method", "params"},
    JSONRPCResponse: {"jsonrpc", "id", "result"},
    JSONRPCError: {"jsonrpc", "id", "error"},
}
_REQUESTS: Mapping[tuple[str, str], Any] = {**methods.SERVER_REQUESTS, **methods.CLIENT_REQUESTS}
_NOTIFICATIONS: Mapping[tuple[str, str], Any] = {
    **methods.CLIENT_NOTIFICATIONS,
    **methods.SERVER_NOTIFICATIONS,
}
_RESULTS: Mapping[tuple[str, str], Any] = {**methods.CLIENT_RESULTS, **methods.SERVER_RESULTS}
_VERBATIM = {"annotations", "execution"}
"""Keys that lists carry as the spec has them: with unknown keys, or beyond their version."""

_FROM_SERVER = {m for m, _ in (*methods.SERVER_REQUESTS, *methods.SERVER_NOTIFICATIONS)}
_FROM_CLIENT = {m for m, _ in (*methods.CLIENT_REQUESTS, *methods.CLIENT_NOTIFICATIONS)}


def wire_faults(version: str, message: Mapping[str, Any], method: str | None) -> list[str]:
    """Return what is wrong with a message of a version; `method` is what a response answers."""
    envelope = _envelope(message)
    if envelope is JSONRPCError and version >= "2025-11-25":
        message = {"id": None, **message}  # left out where no request is known (schema, Error)
    unknown = [
        f"{key}: not a key of {envelope.__name__}" for key in message.keys() - _ENVELOPES[envelope]
    ]
    return [*unknown, *_faults(envelope, message, "")] or [*_typed(version, message, method)]


def _envelope(message: Mapping[str, Any]) -> type:
    if "method" in message:
        return JSONRPCRequest if "id" in message else JSONRPCNotification
    return JSONRPCError if "error" in message else JSONRPCResponse


def _typed(version: str, message: Mapping[str, Any], method: str | None) -> Iterator[str]:
    """Check what the envelope holds; of a method that no version has, it may hold anything."""
    if "method" in message:
        method = message["method"]
        kind = (_REQUESTS if "id" in message else _NOTIFICATIONS).get((method, version))
        if kind is not None:
            known = {"jsonrpc": "2.0", "id": 1} if "id" in message else {"jsonrpc": "2.0"}
            yield from _faults(kind, {**message, **known}, "")
        elif method in _FROM_SERVER - _FROM_CLIENT:
            yield f"{method}: not a method of {version}"
    elif "result" in message and method is not None:
        kind = _RESULTS.get((method, version))
        if kind is not None:
            yield from _faults(_kind_of(message["result"], kind), message["result"], "result")


def _kind_of(result: object, kind: Any) -> Any:
    """Return the one type that a result says it is of: a union would take it for the laxest."""
    asks = isinstance(result, Mapping) and result.get("resultType") == "input_required"
    kinds = [
        each
        for each in get_args(kind) or (kind,)
        if (each.__name__ == "InputRequiredResult") == asks
    ]
    return kinds[0] if kinds else kind


def _faults(kind: Any, value: Mapping[str, Any], at: str) -> Iterator[str]:
    adapter = _adapter(kind)
    try:
        read = adapter.validate_python(value, by_name=False)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            place = "/".join(map(str, (at, *fault["loc"])))
            yield f"{place}: {fault['msg']}"
        return
    back = adapter.dump_python(read, mode="json", by_alias=True, exclude_unset=True)
    yield from _lost(value, back, at)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _lost(value: Any, back: Any, at: str) -> Iterator[str]:
    """The keys of a value that have not come back."""
    if isinstance(value, Mapping) and isinstance(back, Mapping):
        for key, part in value.items():
            if key in _VERBATIM:
                continue
            if key in back:
                yield from _lost(part, back[key], f"{at}/{key}")
            else:
                yield f"{at}/{key}: unknown key"
    elif isinstance(value, list) and isinstance(back, list):
        for number, (part, there) in enumerate(zip(value, back, strict=False)):
            yield from _lost(part, there, f"{at}/{number}")
