"""Notifications of tasks to clients that listen to them."""

import asyncio
from dataclasses import replace
from typing import Any, TypeAlias

import mcp_types as types
from mcp.server import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.subscriptions import SUBSCRIPTION_ID_META_KEY
from pydantic import Field

from .task import Request, dump, owner
from .task_store import OVER, State
from .tasks import MOST_RUNNING, Tasks, require

LISTEN = "subscriptions/listen"
Params: TypeAlias = types.SubscriptionsListenRequestParams


class TaskFilter(types.SubscriptionFilter):
    task_ids: list[str] | None = Field(default=None, max_length=MOST_RUNNING)


class TaskNotification(types.Notification[State, str]):
    method: str = "notifications/tasks"


def attach(tasks: Tasks, server: Server[Any]) -> None:
    """Serve the streams of notifications, with those of `Changes` if it is attached."""
    other = server.get_request_handler(LISTEN)
    listen_to_others = other.handler if other else listen_to_nothing

    async def listen(ctx: Request, params: Params) -> Any:
        ids = TaskFilter.model_validate(dump(params.notifications)).task_ids
        if ids is None:
            return await listen_to_others(ctx, params)
        require(ctx)
        session: Any = ListeningSession(ctx)
        tasks.store.listeners.add(session.hear)
        telling = asyncio.create_task(session.tell())
        try:
            for id in ids:
                state = await tasks.store.find(id, owner())
                if state and (id in tasks.running or state["status"] in OVER):
                    session.ids.append(id)
                    session.hear(state)
            return await listen_to_others(replace(ctx, session=session), params)
        finally:
            telling.cancel()
            tasks.store.listeners.discard(session.hear)

    server.add_request_handler(LISTEN, Params, listen)


async def listen_to_nothing(ctx: Request, params: Params) -> Any:
    """Keep the stream open in a server without other notifications."""
    nothing = {"notifications": types.SubscriptionFilter()}
    listener = ListenHandler(InMemorySubscriptionBus())
    return await listener(ctx, params.model_copy(update=nothing))


class ListeningSession:
    """The session of a client that listens; it is sent the latest state of its tasks."""

    def __init__(self, ctx: Request) -> None:
        self.session = ctx.session
        self.request_id = ctx.request_id
        self.ids: list[str] = []
        self.news: dict[str, State] = {}
        self.has_news = asyncio.Event()
        self.is_acknowledged = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.session, name)

    def hear(self, state: State) -> None:
        if state["taskId"] in self.ids:
            self.news[state["taskId"]] = state
            self.has_news.set()

    async def send_notification(self, message: Any, related_request_id: Any) -> None:
        """Send a notification. The acknowledgement, the first of all, names the tasks."""
        if isinstance(message, types.SubscriptionsAcknowledgedNotification):
            granted = message.params.notifications
            granted = granted.model_copy(update={"taskIds": self.ids})
            params = message.params.model_copy(update={"notifications": granted})
            message = message.model_copy(update={"params": params})
        await self.session.send_notification(message, related_request_id)
        self.is_acknowledged.set()

    async def tell(self) -> None:
        await self.is_acknowledged.wait()
        while await self.has_news.wait():
            self.has_news.clear()
            news, self.news = self.news, {}
            for state in news.values():
                params = {**state, "_meta": {SUBSCRIPTION_ID_META_KEY: self.request_id}}
                message: Any = TaskNotification(params=params)
                await self.session.send_notification(message, self.request_id)
