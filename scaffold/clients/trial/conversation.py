"""Shake hands with a server as a client does, and list its tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jsonschema_rs import meta
from msgspec import Struct

from scaffold import __version__
from scaffold.diagnostics.wording import join
from scaffold.clients.trial.wire import ClosedError, Message, StatusError, Wire, WrongError

MODERN = "2026-07-28"

_LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")

PAGES = 1000

_CLIENT = {"name": "mcp-scaffold", "version": __version__}

_ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": _CLIENT,
}
"""What each request of the stateless protocol says about its client."""


class Heard(Struct, frozen=True):
    """What a server said: the protocol version that was agreed on, its name and its tools.

    `tools` is None if the server does not say that it has tools: clients do not ask for them then.
    """

    version: str
    name: str
    tools: tuple[Message, ...] | None


async def talk(wire: Wire, handshake: Sequence[str], answered: Callable[[], None]) -> Heard:
    """Talk to a server, beginning with what the client sends first; return what it said.

    `handshake` has `server/discover` and the version to initialize. `answered` is called at the
    first answer. The tools are asked for once more, since the server has to go on. Raises
    WrongError for an answer that the client cannot use.
    """
    talk, said = _Talk(wire, answered), None
    if handshake[0] == "server/discover":
        said = await talk.discovered()
    version = MODERN
    if said is None:
        version, said = await talk.initialized(handshake[-1])
    tools = await talk.tools() if _has_tools(said) else None
    if tools is not None:
        await talk.again()
    return Heard(version, _name(said), tools)


class _Talk:
    def __init__(self, wire: Wire, answered: Callable[[], None]) -> None:
        self._wire, self._answered = wire, answered
        self._version, self._last = "", 0

    async def discovered(self) -> Message | None:
        """Return what a server says that speaks the stateless protocol, and None of another."""
        self._version = MODERN
        try:
            answer = await self._ask("server/discover")
        except StatusError as error:
            if error.status in (400, 404, 405, 406):
                return None
            raise
        result = answer.get("result")
        versions = result.get("supportedVersions") if isinstance(result, dict) else None
        return result if isinstance(versions, list) and MODERN in versions else None

    async def initialized(self, version: str) -> tuple[str, Message]:
        """Return the version that the server agrees to, and all that it says."""
        self._version = ""
        hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": _CLIENT}
        result = _result(await self._ask("initialize", hello), "initialize")
        agreed = result.get("protocolVersion")
        if agreed not in _LEGACY:
            raise WrongError(
                f"it answers to `initialize` with version `{agreed}`, and was asked for `{version}`"
            )
        self._version = agreed
        done = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await self._wire.tell(done, self._headers("notifications/initialized"))
        return agreed, result

    async def tools(self) -> tuple[Message, ...]:
        """Return all tools that the server lists."""
        found: list[Message] = []
        before, cursor = None, None
        for _ in range(PAGES):
            asked = None if cursor is None else {"cursor": cursor}
            page = _result(await self._ask("tools/list", asked), "tools/list")
            tools = page.get("tools")
            if not isinstance(tools, list) or not all(_is_tool(tool) for tool in tools):
                raise WrongError(
                    "what it answers to `tools/list` is not a list of tools with names"
                )
            if bad := [tool["name"] for tool in tools if not _takes_objects(tool)]:
                names = join(bad[:3], "and")
                raise WrongError(f"the `inputSchema` of {names} is none, or not one of objects")
            found += tools
            before, cursor = cursor, page.get("nextCursor")
            if cursor is None:
                return tuple(found)
            if cursor == before:
                break
        raise WrongError("its list of tools has no end")

    async def again(self) -> None:
        """Ask for the tools once more: a server may end, or print something, after its answer."""
        try:
            await self._ask("tools/list")
        except ClosedError:
            raise ClosedError("after it listed its tools") from None

    async def _ask(self, method: str, params: Mapping[str, Any] | None = None) -> Message:
        self._last += 1
        given = dict(params or {})
        if self._version == MODERN:
            given["_meta"] = _ENVELOPE
        message: Message = {"jsonrpc": "2.0", "id": self._last, "method": method}
        if given:
            message["params"] = given
        answer = await self._wire.ask(message, self._headers(method))
        self._answered()
        return answer

    def _headers(self, method: str) -> dict[str, str]:
        version = {"MCP-Protocol-Version": self._version} if self._version else {}
        return version | ({"Mcp-Method": method} if self._version == MODERN else {})


def _result(answer: Message, method: str) -> Message:
    result = answer.get("result")
    if isinstance(result, dict):
        return result
    error = answer.get("error")
    said = error.get("message") if isinstance(error, dict) else None
    raise WrongError(f"it answers to `{method}` with an error: {str(said)[:300]}")


def _name(result: Any) -> str:
    """Return the name of the server in a result, which has it in one of two places."""
    meta = result.get("_meta")
    kept = meta.get("io.modelcontextprotocol/serverInfo") if isinstance(meta, dict) else None
    info = result.get("serverInfo") or kept
    return str(info.get("name") or "") if isinstance(info, dict) else ""


def _has_tools(said: Message) -> bool:
    capabilities = said.get("capabilities")
    return isinstance(capabilities, dict) and isinstance(capabilities.get("tools"), dict)


def _is_tool(tool: Any) -> bool:
    return isinstance(tool, dict) and isinstance(tool.get("name"), str)


def _takes_objects(tool: Message) -> bool:
    """Return whether a tool has a schema that clients accept; one bad tool spoils their list."""
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return False
    try:
        return "$schema" in schema or meta.is_valid(schema)
    except ValueError:  # too deep
        return False
