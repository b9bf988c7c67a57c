"""A session with a server, as a client begins it, and what is wrong with its answers."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import httpx2
from mcp import ClientSession, MCPError
from mcp.client._transport import TransportStreams
from mcp_types import (
    CONNECTION_CLOSED,
    ClientCapabilities,
    DiscoverResult,
    Implementation,
    InitializedNotification,
    InitializeRequest,
    InitializeRequestParams,
    InitializeResult,
    ListToolsRequest,
    ListToolsResult,
    PaginatedRequestParams,
    Tool,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_MODERN_VERSION
from msgspec import Struct
from pydantic import ValidationError

from scaffold import __version__
from scaffold.base.diagnostics.wording import join
from scaffold.clients.client import Client
from scaffold.clients.reading import Meant
from scaffold.clients.server import Server
from scaffold.clients.shapes import fill
from scaffold.connect.process import TooMuchError
from scaffold.connect.streams import ClosedError, StatusError, WrongError
from scaffold.install.subject import Subject
from scaffold.trial.findings import Findings, public, write_again

_OURSELVES = Implementation(name="mcp-scaffold", version=__version__)

T = TypeVar("T")


class Heard(Struct, frozen=True):
    """What a server said: the protocol version that was agreed on, its name and its tools.

    `tools` is None if the server does not say that it has tools: clients do not ask for them then.
    """

    version: str
    name: str
    tools: tuple[Tool, ...] | None


async def talk(
    streams: TransportStreams, handshake: Sequence[str], answered: Callable[[], None]
) -> Heard:
    """Talk to a server, beginning with what the client sends first; return what it said.

    `handshake` has `server/discover` and the version to initialize. `answered` is called at the
    first answer. The tools are asked for once more, since a server may end, or print something,
    after its answer. Raises ClosedError, and WrongError for an answer that the client cannot use.
    """
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)  # it logs tracebacks of wrong answers
    async with ClientSession(*streams, client_info=_OURSELVES) as session:
        greeting: DiscoverResult | InitializeResult | None = None
        version = LATEST_MODERN_VERSION
        if handshake[0] == "server/discover":
            greeting = await _discovered(session)
            answered()
        if greeting is None:
            try:
                greeting = await _initialized(session, handshake[-1])
                version = greeting.protocol_version
            except WrongError:
                # A server that takes long to start has got `server/discover` first after all.
                greeting = await _discovered(session) if handshake[0] == "server/discover" else None
                if greeting is None:
                    raise
            answered()
        tools = await _tools(session) if greeting.capabilities.tools is not None else None
        if tools is not None:
            await _page(session, None)
        info = session.server_info
        return Heard(version, info.name if info else "", tools)


async def _discovered(session: ClientSession) -> DiscoverResult | None:
    """Return what a server says that speaks the stateless protocol, and None of another."""
    try:
        return await session.discover()
    except MCPError as error:
        if error.code == CONNECTION_CLOSED:
            raise ClosedError from error
    except (RuntimeError, ValidationError):  # it speaks other versions
        pass
    return None


async def _initialized(session: ClientSession, version: str) -> InitializeResult:
    hello = InitializeRequestParams(
        protocol_version=version, capabilities=ClientCapabilities(), client_info=_OURSELVES
    )
    request = InitializeRequest(params=hello)
    result = await _answer("initialize", session.send_request(request, InitializeResult))
    if result.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
        agreed = result.protocol_version
        raise WrongError(
            f"it answers to `initialize` with version `{agreed}`, and was asked for `{version}`"
        )
    session.adopt(result)
    await session.send_notification(InitializedNotification())
    return result


async def _tools(session: ClientSession) -> tuple[Tool, ...]:
    """Return all tools that the server lists; if they have no end, the time of the trial has."""
    page = await _page(session, None)
    tools = [*page.tools]
    while page.next_cursor is not None:
        page = await _page(session, page.next_cursor)
        tools += page.tools
    return tuple(tools)


async def _page(session: ClientSession, cursor: str | None) -> ListToolsResult:
    request = ListToolsRequest(params=PaginatedRequestParams(cursor=cursor) if cursor else None)
    return await _answer("tools/list", session.send_request(request, ListToolsResult))


async def _answer(method: str, answer: Awaitable[T]) -> T:
    """Return an answer. Raises ClosedError, or WrongError for an error or another shape."""
    try:
        return await answer
    except MCPError as error:
        if error.code == CONNECTION_CLOSED:
            raise ClosedError from error
        message = f"it answers to `{method}` with an error: {error.message[:300]}"
        raise WrongError(message) from error
    except ValidationError as error:
        first = error.errors()[0]
        at = "/".join(map(str, first["loc"]))
        message = f"its answer to `{method}` violates the protocol: {at}: {first['msg']}"
        raise WrongError(message) from error


def judge_names(client: Client, name: str, tools: Sequence[str], findings: Findings) -> None:
    """Add what the client refuses about the server's name and those of its tools."""
    limits = client.limits
    if limits.name is not None and not re.fullmatch(limits.name, name):
        message = f"{client.name} does not accept the server name `{name}`"
        findings.add("client-names", message, f"names match `{limits.name}`")
    elif name in limits.reserved:
        message = f"{client.name} keeps the name `{name}` for itself"
        findings.add("client-names", message, "choose another name")
    seen = [fill(limits.tool, {"name": name, "tool": tool}) for tool in tools]
    if limits.length is not None and (long := [name for name in seen if len(name) > limits.length]):
        names = ", ".join(f"`{name}` ({len(name)})" for name in long[:3])
        more = f" and {len(long) - 3} more" if len(long) > 3 else ""
        most = f"{client.name} refuses tools with more than {limits.length} characters"
        hint = "shorten the names of the tools, or the server's"
        findings.add("client-names", f"{most}: {names}{more}", hint)


def judge_failure(
    error: Exception,
    entry: Meant,
    client: Client,
    subject: Subject,
    log: str | None,
    findings: Findings,
) -> None:
    """Add the finding for a failure; `log` is the end of the server's log. Time is not judged."""
    address = public(entry.url)
    match error:
        case WrongError():
            findings.add("client-answer", str(error), log)
        case TooMuchError():
            findings.add("client-output", str(error), log)
        case StatusError(status=401) if not (entry.headers or subject.server.bearer_env):
            message = "it answered 401: the client has to log in, which this test cannot"
            findings.add("client-token", message, "log in with the client itself")
        case StatusError(status=401 | 403 as status) if not (entry.headers or entry.token):
            message = f"it answered {status}: it wants a token, and the entry sends none"
            findings.add("client-token", message, write_again(subject, client))
        case StatusError(status=401 | 403 as status):
            message = f"it answered {status}: it does not accept the token"
            findings.add("client-token", message, "compare the token with that of the server")
        case StatusError(status=status):
            spoken = "SSE" if entry.transport == "sse" else "streamable HTTP"
            message = f"it answered {status} at {address}, where no server speaks {spoken}"
            start = f"start the server with `--transport {entry.transport}`"
            hint = f"{start}, unless another program listens there"
            findings.add("client-address", message, _other_addresses(subject.server, entry) or hint)
        case ClosedError():
            findings.add("client-answer", f"{address} ended its answer without a message")
        case httpx2.HTTPError() | httpx2.InvalidURL():
            message = f"nobody answers at {address}: {str(error) or type(error).__name__}"
            hint = f"start the server: {client.name} does not start servers with a URL"
            findings.add("client-address", message, _other_addresses(subject.server, entry) or hint)
        case OSError() | ValueError():  # ValueError: a null character, or half of one
            why = (getattr(error, "strerror", None) or str(error)).lower()
            findings.add("client-program", f"the program cannot be started: {why}", log)
        case _:
            raise error


def _other_addresses(server: Server, entry: Meant) -> str | None:
    """Return the addresses that the server has, as a hint; None if the entry has the right one."""
    names = [name for name in server.transports if name != "stdio"]
    if entry.transport in names and entry.url == server.url(entry.transport):
        return None
    known = join((f"{server.url(name)} ({name})" for name in names), "and")
    return f"the spec has {known}" if known else "the spec has no transport over HTTP"
