"""Changes on one replica that clients of another hear of, by a real Redis."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import Client
from redis.asyncio import Redis

from templates.python.runtime import redis_bus as runtime
from templates.python.runtime.changes import Changes
from templates.python.runtime.command import SettingsError
from templates.python.runtime.redis_bus import Message, RedisBus
from tests.generated import of_the_sdk
from tests.production.conftest import RedisServer
from tests.runtime.serving import server_of
from tests.runtime.test_changes import Ears
from tests.waiting import WITHIN

pytestmark = [
    of_the_sdk,
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore:.*is removed as of 2026-07-28"),
]

URI = "board://notices"


async def serve(arguments: Any, context: Any) -> str:
    return "served"


@asynccontextmanager
async def replica(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[tuple[Changes, RedisBus, Ears]]:
    """A server, the bus that it shares, and the ears of a client that subscribed to `URI`."""
    monkeypatch.setenv("REDIS_URL", f"{redis.url}\n")
    changes, ears = Changes({"tools": ["serve"]}, subscribe=True), Ears()
    server = server_of(serve)
    changes.attach(server)
    bus = RedisBus("REDIS_URL", "board", changes)
    bus.attach(server)
    async with Client(server, mode="legacy", message_handler=ears) as client:
        await client.session.subscribe_resource(URI)
        yield changes, bus, ears


async def subscribed(redis: RedisServer, count: int) -> None:
    """Wait until so many replicas listen to Redis."""
    async with Redis.from_url(redis.url) as client:
        with anyio.fail_after(WITHIN):
            while (await client.pubsub_numsub("board"))[0][1] < count:
                await anyio.sleep(0.01)


async def test_a_change_on_any_replica_is_announced_on_each_once(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        replica(redis, monkeypatch) as (each, _, here),
        replica(redis, monkeypatch) as (other, _, there),
    ):
        await subscribed(redis, 2)
        for changes in (each, other) * 3:
            await changes.resource_updated(URI)
            await changes.hide("tools", "serve")
            await here.hear(URI, "tools")
            await there.hear(URI, "tools")


@pytest.mark.parametrize(
    "text",
    ["", "garbage", "[" * 100_000, "{}", '{"sender":"a","method":"x","params":{}}', '"', "\xff"],
)
async def test_a_malformed_message_is_ignored(
    text: str, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with replica(redis, monkeypatch) as (_, _, ears), Redis.from_url(redis.url) as client:
        await subscribed(redis, 1)
        await client.publish("board", text.encode("latin-1"))
        real = Message(
            sender="another", method="notifications/resources/updated", params={"uri": URI}
        )
        await client.publish("board", real.model_dump_json())
        await ears.hear(URI)


async def test_without_redis_clients_get_changes_of_their_replica_and_later_of_all_lists(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(runtime, "PAUSE", 0.1)
    redis.stop()
    async with (
        replica(redis, monkeypatch) as (each, _, here),
        replica(redis, monkeypatch) as (_, bus, there),
    ):
        for is_first in (True, False):
            begun = time.monotonic()
            await each.resource_updated(URI)
            assert time.monotonic() - begun < runtime.TIMEOUT
            await here.hear(URI)
            with anyio.fail_after(WITHIN):
                while not (bus.listener and "is unavailable" in caplog.text):
                    await anyio.sleep(0.01)
            assert there.heard == []
            redis.start()
            await here.hear("tools")
            with anyio.fail_after(WITHIN):
                while "tools" not in there.heard:
                    await anyio.sleep(0.01)
            await subscribed(redis, 2)
            await anyio.sleep(0.3)
            assert {*there.heard} <= {"tools", URI}  # The update may have waited for Redis.
            there.heard.clear()
            await each.resource_updated(URI)
            await there.hear(URI)
            await here.hear(URI)
            if is_first:
                redis.stop()
                caplog.clear()


async def test_a_redis_that_hangs_is_noticed(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name, seconds in (("SILENCE", 0.1), ("TIMEOUT", 3), ("PAUSE", 0.1)):
        monkeypatch.setattr(runtime, name, seconds)
    async with replica(redis, monkeypatch) as (changes, _, ears):
        await subscribed(redis, 1)
        await anyio.sleep(1)
        assert caplog.text == ""
        redis.pause()
        with anyio.fail_after(WITHIN):
            while "is unavailable" not in caplog.text:
                await anyio.sleep(0.01)
        await changes.resource_updated(URI)
        await ears.hear(URI)
        redis.pause(go_on=True)
        await ears.hear("tools")


def test_a_wrong_address_is_reported_with_its_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REDIS_URL", "secret")
    with pytest.raises(SettingsError, match=r"^REDIS_URL: ") as raised:
        RedisBus("REDIS_URL", "board", Changes({}))
    assert "secret" not in str(raised.value)
