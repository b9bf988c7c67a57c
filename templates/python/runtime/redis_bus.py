"""Notifications across replicas: Redis carries the changes of one to the clients of all."""

import asyncio
import logging
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Literal
from uuid import uuid4

import anyio
from mcp.server import Server
from mcp.server.subscriptions import ResourceUpdated, ServerEvent
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
# Events that Redis has not taken yet; later ones are dropped.
MOST_UNSENT = 1000


class Change(BaseModel):
    """A message between replicas: a list has changed, or a resource."""

    sender: str
    kind: Literal["tools", "resources", "prompts", "resource"]
    uri: str = ""

    @property
    def event(self) -> ServerEvent:
        if self.kind == "resource":
            return ResourceUpdated(self.uri)
        return LIST_CHANGED[self.kind]


def list_change(sender: str, kind: str) -> Change:
    return Change.model_validate({"sender": sender, "kind": kind})


class RedisBus:
    """The connection to Redis: sends this replica's changes, and receives those of others.

    Without Redis, this replica's clients are still notified of its own changes. When it is
    back, all clients are notified that the lists have changed.
    """

    def __init__(self, variable: str, channel: str, changes: Changes) -> None:
        """Read the URL from the variable. Raises SettingsError if it is invalid."""
        library: Any = Redis  # It leaves out some types.
        try:
            # Without its own retries, which would hide that changes were missed.
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
        self.unsent = asyncio.Queue[Change](MOST_UNSENT)
        self.has_dropped = False
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
        if asyncio.current_task() is self.listener:
            return
        if isinstance(event, ResourceUpdated):
            self.enqueue(Change(sender=self.name, kind="resource", uri=event.uri))
        for kind, one in LIST_CHANGED.items():
            if one == event:
                self.enqueue(list_change(self.name, kind))

    def enqueue(self, change: Change) -> None:
        try:
            self.unsent.put_nowait(change)
        except asyncio.QueueFull:
            self.has_dropped = True

    async def send(self) -> None:
        while True:
            change = await self.unsent.get()
            try:
                await self.redis.publish(self.channel, change.model_dump_json())
            except (RedisError, OSError):
                self.has_dropped = True
            finally:
                self.unsent.task_done()

    async def listen(self) -> None:
        was_lost = False
        while True:
            try:
                async with self.redis.pubsub() as channel:
                    await channel.subscribe(self.channel)
                    if was_lost:
                        logger.warning("Redis is back")
                        await self.announce_all()
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
        try:
            change = Change.model_validate_json(data)
        except ValidationError:
            logger.warning("Ignored a malformed message from Redis: %.80r", data)
            return
        if change.sender != self.name:
            await self.changes.bus.publish(change.event)

    async def announce_all(self) -> None:
        """Notify clients that all lists have changed: nobody knows what was missed."""
        for kind in self.changes.names:
            await self.changes.bus.publish(LIST_CHANGED[kind])
            if self.has_dropped:
                self.enqueue(list_change(self.name, kind))
        self.has_dropped = False
