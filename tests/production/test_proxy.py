"""Clients of both eras before one replica and several, behind a real proxy."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
from httpx2 import HTTPError
from mcp import Client, ClientSession, MCPError
from mcp.client.context import ClientRequestContext
from mcp.client.sse import sse_client

from tests.generated import Generated, WebServer, of_the_sdk, stop
from tests.production.conftest import KEYS, RedisServer, nginx, program, proxy, replicas
from tests.production.test_redis import URI
from tests.raw_client import MODERN
from tests.runtime.test_changes import Ears
from tests.waiting import WITHIN

pytestmark = [
    of_the_sdk,
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore:.*is removed as of 2026-07-28"),
    # What the official client leaves behind when a request fails.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

FAILURES = (MCPError, HTTPError)
"""What the official client raises for a request that was refused, or got no answer."""

YES, NO = True, False
MEASURED = {
    # Deployment, client: calls, questions, and notifications of another replica.
    ("several", MODERN): (YES, NO, NO),
    ("several, shared", MODERN): (YES, YES, YES),
    ("several, shared", "legacy"): (NO, NO, NO),
    ("several, sticky", "legacy"): (YES, YES, NO),
    ("several, sticky, shared", MODERN): (YES, YES, YES),
    ("several, sticky, shared", "legacy"): (YES, YES, YES),
    ("several, stateless, shared", MODERN): (YES, YES, YES),
    ("several, stateless, shared", "legacy"): (YES, NO, NO),
}
"""What docs/production.md says of replicas."""


async def answered(context: ClientRequestContext, params: Any) -> types.ElicitResult:
    values = {"name": "Ada", "town": "London"}
    wanted = params.requested_schema["properties"]
    return types.ElicitResult(action="accept", content={key: values[key] for key in wanted})


async def works(url: str, mode: str, tool: str) -> bool:
    """Whether a client gets the results of a tool that it calls three times."""
    failed: list[bool] = []
    try:
        async with Client(url, mode=mode, cache=None, elicitation_callback=answered) as client:
            for _ in range(3):
                failed.append((await client.call_tool(tool, {})).is_error)
    except* FAILURES:
        pass
    return failed == [False] * 3


async def post(server: WebServer) -> None:
    """Change what clients of a replica can have subscribed to."""
    try:
        async with Client(server.url("/mcp"), mode=MODERN, cache=None) as client:
            result = await client.call_tool("post", {})
    except* FAILURES as failures:
        reason = f"{failures.exceptions!r}; its log: {server.log.read_text()[-2000:]}"
        raise AssertionError(f"{server.url('/mcp')} refused a call: {reason}") from None
    assert not result.is_error


async def is_told(url: str, mode: str, servers: list[WebServer], within: float) -> bool:
    """Whether a client that subscribes is told of a change on each replica, within some seconds."""
    ears = Ears()

    @asynccontextmanager
    async def listening() -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            client = Client(url, mode=mode, cache=None, message_handler=ears)
            client = await stack.enter_async_context(client)
            if mode == "legacy":
                await client.session.subscribe_resource(URI)
                yield
                return
            wanted = client.listen(resource_subscriptions=[URI])
            subscription = await stack.enter_async_context(wanted)

            async def hear() -> None:
                async for _ in subscription:
                    ears.heard.append(URI)

            hearing = asyncio.create_task(hear())
            yield
            hearing.cancel()

    told: list[bool] = []
    try:
        async with listening():
            for server in servers:
                ears.heard.clear()
                await post(server)
                with anyio.move_on_after(within):
                    while not ears.heard:
                        await anyio.sleep(0.01)
                told.append(bool(ears.heard))
                if not ears.heard:
                    break
    except* FAILURES:
        pass
    return told == [True, True]


@pytest.mark.parametrize(("deployment", "mode"), MEASURED)
async def test_clients_get_the_responses_in_the_table_of_the_docs(
    board: Generated, redis: RedisServer, tmp_path: Path, deployment: str, mode: str
) -> None:
    program("haproxy")
    env = {"STATE_KEYS": KEYS, "REDIS_URL": redis.url} if "shared" in deployment else {}
    options = ["--stateless"] if "stateless" in deployment else []
    with ExitStack() as stack:
        servers = stack.enter_context(replicas(board, tmp_path, *options, **env))
        ports = [server.port for server in servers]
        port = stack.enter_context(proxy(tmp_path, ports, sticky="sticky" in deployment))
        url = f"http://127.0.0.1:{port}/mcp"
        found = (
            await works(url, mode, "wait"),
            await works(url, mode, "ask"),
            await is_told(url, mode, servers, WITHIN if MEASURED[deployment, mode][2] else 3),
        )
    assert found == MEASURED[deployment, mode]


@pytest.mark.parametrize("mode", ["legacy", MODERN])
async def test_nginx_serves_replicas_under_a_path_and_keeps_each_client_at_one(
    board: Generated, tmp_path: Path, mode: str
) -> None:
    program("nginx")
    with ExitStack() as stack:
        trust = ("--forwarded-allow-ips", "*")
        servers = stack.enter_context(replicas(board, tmp_path, *trust, STATE_KEYS=KEYS))
        port = stack.enter_context(nginx(tmp_path, [server.port for server in servers]))
        url = f"http://127.0.0.1:{port}/tools"
        assert await works(f"{url}/mcp", mode, "wait")
        assert await works(f"{url}/mcp/", mode, "ask")
        async with sse_client(f"{url}/sse") as streams, ClientSession(*streams) as session:
            await session.initialize()
            assert not (await session.call_tool("wait", {})).is_error
        metadata = f"http://127.0.0.1:{port}/.well-known/oauth-protected-resource/tools/mcp"
        async with httpx2.AsyncClient() as client:
            assert (await client.get(metadata)).text == "Not Found"  # The server's, not nginx's.


class Load:
    """Clients that call all the time, and what came of it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.outcomes = Counter[str]()
        self.is_over = False

    async def client(self, number: int) -> None:
        while not self.is_over:
            try:
                async with Client(self.url, mode=MODERN, cache=None) as client:
                    while not self.is_over:
                        # Most calls are short; some last while a replica stops.
                        seconds = 1.0 if sum(self.outcomes.values()) % 20 == number else 0.02
                        result = await client.call_tool("wait", {"seconds": seconds})
                        self.outcomes["lost" if result.is_error else "answered"] += 1
            except* FAILURES:
                self.outcomes["lost"] += 1

    async def wait_for(self, more: int) -> None:
        """Wait until so many more calls have been answered."""
        enough = self.outcomes["answered"] + more
        async with asyncio.timeout(WITHIN):
            while self.outcomes["answered"] < enough:
                await asyncio.sleep(0.01)


@contextmanager
def started_again(board: Generated, server: WebServer) -> Iterator[None]:
    """Start a replica at the port of one that has ended."""
    with server.log.open("ab") as output:
        options = ("--transport", "streamable-http", "--port", str(server.port))
        process = board.spawn_to(output, *options)
    try:
        yield
    finally:
        stop(process)


CLIENTS = 4


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
async def test_a_stopping_replica_loses_no_calls_and_a_crashed_one_only_its_own(
    board: Generated, tmp_path: Path, sent: signal.Signals
) -> None:
    program("haproxy")
    with ExitStack() as stack:
        servers = stack.enter_context(replicas(board, tmp_path))
        port = stack.enter_context(proxy(tmp_path, [server.port for server in servers]))
        load = Load(f"http://127.0.0.1:{port}/mcp")
        clients = [asyncio.create_task(load.client(number)) for number in range(CLIENTS)]
        await load.wait_for(100)
        for server in servers:
            server.process.send_signal(sent)
            code = await asyncio.to_thread(server.process.wait, WITHIN)
            assert code == (0 if sent == signal.SIGTERM else -sent)
            await load.wait_for(50)
            stack.enter_context(started_again(board, server))
            while not await asyncio.to_thread(server.is_up):
                await asyncio.sleep(0.05)
            await load.wait_for(100)
        load.is_over = True
        await asyncio.wait(clients)
    print(sent.name, dict(load.outcomes))
    assert load.outcomes["lost"] <= (0 if sent == signal.SIGTERM else CLIENTS * len(servers))
