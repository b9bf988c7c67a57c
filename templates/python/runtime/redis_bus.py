"""Notifications across replicas: Redis carries the changes of one to the clients of all."""

import asyncio
import logging
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any
from uuid import uuid4

import anyio
from mcp.server import Server
from mcp.server.subscriptions import ServerEvent
from mcp.shared.subscriptions import event_from_wire, event_to_notification
from pydantic import BaseModel, ValidationError
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from .changes import LIST_CHANGED, Changes
from .command import SettingsError

logger = logging.getLogger(__name__)

# Seconds in which Redis must answer, of silence before it is asked, and between attempts.
TIMEOUT = 2
SILENCE = 15
PAUSE = 1
# Changes that wait for Redis; later ones are dropped.
MOST_UNSENT = 1000


class Message(BaseModel):
    """A notification of MCP, and the replica that sends it."""

    sender: str
    method: str
    params: dict[str, Any]


class RedisBus:
    """The connection to Redis: sends this replica's changes, and receives those of others.

    Without Redis, this replica's clients are still notified of its own changes. When it is
    back, they are notified that the lists have changed, since some messages were missed.
    """

    def __init__(self, variable: str, channel: str, changes: Changes) -> None:
        """Read the URL from the variable. Raises SettingsError if it is invalid."""
        library: Any = Redis  # It leaves out some types.
        try:
            # Without its own retries, which would hide that messages were missed.
            self.redis = library.from_url(
                os.environ[variable].strip(),
                retry=Retry(NoBackoff(), 0),
                socket_timeout=TIMEOUT,
                socket_connect_timeout=TIMEOUT,
            )
        except ValueError as error:
            raise SettingsError(f"{variable}: {error}") from None
        self.channel = channel
        self.changes = changes
        self.name = uuid4().hex
        self.unsent = asyncio.Queue[ServerEvent](MOST_UNSENT)
        self.listener: asyncio.Task[None] | None = None

    def attach(self, server: Server[Any]) -> None:
        """Connect while the server's lifespan is open."""
        lifespan = server.lifespan

        @asynccontextmanager
        async def connected(server: Server[Any]) -> AsyncGenerator[Any]:
            async with self.connected(), lifespan(server) as shared:
                yield shared

        server.lifespan = connected

    @asynccontextmanager
    async def connected(self) -> AsyncGenerator[None]:
        self.listener = asyncio.create_task(self.listen())
        sender = asyncio.create_task(self.send())
        unsubscribe = self.changes.bus.subscribe(self.forward)
        try:
            yield
        finally:
            unsubscribe()
            with anyio.move_on_after(TIMEOUT):
                await self.unsent.join()
            for task in (self.listener, sender):
                task.cancel()
            await asyncio.wait((self.listener, sender))
            await self.redis.aclose()

    def forward(self, event: ServerEvent) -> None:
        """Send a change to the other replicas, unless it came from one of them."""
        if asyncio.current_task() is not self.listener:
            with suppress(asyncio.QueueFull):
                self.unsent.put_nowait(event)

    async def send(self) -> None:
        while True:
            event = await self.unsent.get()
            wire = event_to_notification(event, {}).model_dump(
                mode="json", by_alias=True
            )
            text = Message(sender=self.name, **wire).model_dump_json()
            while not await self.is_published(text):
                await anyio.sleep(PAUSE)
            self.unsent.task_done()

    async def is_published(self, text: str) -> bool:
        try:
            await self.redis.publish(self.channel, text)
        except (RedisError, OSError):
            return False
        return True

    async def listen(self) -> None:
        was_lost = False
        while True:
            try:
                async with self.redis.pubsub() as channel:
                    await channel.subscribe(self.channel)
                    if was_lost:
                        logger.warning("Redis is back")
                        for kind in self.changes.names:
                            await self.changes.bus.publish(LIST_CHANGED[kind])
                    was_lost = False
                    await self.follow(channel)
            except (RedisError, OSError) as error:
                if not was_lost:
                    logger.warning("Redis is unavailable: %s", error)
                was_lost = True
                await anyio.sleep(PAUSE)

    async def follow(self, channel: Any) -> None:
        """Receive messages until Redis stops answering."""
        while True:
            message = await channel.get_message(timeout=SILENCE)
            if message is None:
                await channel.ping()
                message = await channel.get_message(timeout=TIMEOUT)
                if message is None:
                    raise RedisError(f"no answer in {TIMEOUT} seconds")
            if message["type"] == "message":
                await self.receive(message["data"])

    async def receive(self, data: bytes) -> None:
        """Notify this replica's clients of a change on another."""
        try:
            message = Message.model_validate_json(data)
        except ValidationError:
            logger.warning("Ignored a malformed message from Redis: %.80r", data)
            return
        event = event_from_wire(message.method, message.params)
        if event and message.sender != self.name:
            await self.changes.bus.publish(event)
