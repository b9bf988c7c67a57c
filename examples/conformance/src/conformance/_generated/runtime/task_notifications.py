"""Notifications of tasks, on the streams of `subscriptions/listen`."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import SUBSCRIPTION_ID_META_KEY

from .task_store import OVER, State
from .tasks import MOST_RUNNING, Request, Tasks, dump, require

LISTEN = "subscriptions/listen"
Params = types.SubscriptionsListenRequestParams


class TaskNotification(types.Notification[State, str]):
    method: str = "notifications/tasks"


class TaskListener:
    """Handles the method, besides `Changes` if that is attached before."""

    def __init__(self, tasks: Tasks) -> None:
        self.tasks = tasks
        self.listen_to_more: Callable[[Request, Any], Awaitable[Any]] = nothing_more

    def attach(self, server: Server[Any]) -> None:
        if other := server.get_request_handler(LISTEN):
            self.listen_to_more = other.handler
        server.add_request_handler(LISTEN, Params, self.listen)

    async def listen(self, ctx: Request, params: Params) -> Any:
        """Notify a client of its tasks that run here or are over."""
        ids = (params.notifications.model_extra or {}).get("taskIds")
        if ids is None:
            return await self.listen_to_more(ctx, params)
        require(ctx)
        if not isinstance(ids, list) or len(ids) > MOST_RUNNING:
            raise MCPError(types.INVALID_PARAMS, "taskIds is no list, or is too long")
        session: Any = Listening(ctx)
        self.tasks.listeners.add(session.hear)
        telling = asyncio.create_task(session.tell())
        try:
            for id in map(str, ids):
                state = await self.tasks.find(id)
                if state and (id in self.tasks.running or state["status"] in OVER):
                    session.ids.append(id)
                    session.hear(state)
            return await self.listen_to_more(replace(ctx, session=session), params)
        finally:
            telling.cancel()
            self.tasks.listeners.discard(session.hear)


async def nothing_more(ctx: Request, params: Params) -> Any:
    nothing = {"notifications": types.SubscriptionFilter()}
    listener = ListenHandler(InMemorySubscriptionBus())
    return await listener(ctx, params.model_copy(update=nothing))


class Listening:
    """The session of a client that listens: it is told the latest state of its tasks."""

    def __init__(self, ctx: Request) -> None:
        self.ctx = ctx
        self.ids: list[str] = []
        self.news: dict[str, State] = {}
        self.has_news = asyncio.Event()
        self.is_acknowledged = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ctx.session, name)

    def hear(self, state: State) -> None:
        if state["taskId"] in self.ids:
            self.news[state["taskId"]] = state
            self.has_news.set()

    async def send_notification(self, message: Any, related_request_id: Any) -> None:
        """Send a notification. The first, the acknowledgement, names the tasks."""
        if isinstance(message, types.SubscriptionsAcknowledgedNotification):
            granted = {**dump(message.params.notifications), "taskIds": self.ids}
            params = {
                **message.params.model_dump(by_alias=True),
                "notifications": granted,
            }
            message = type(message).model_validate({"params": params})
        await self.ctx.session.send_notification(message, related_request_id)
        self.is_acknowledged.set()

    async def tell(self) -> None:
        meta = {"_meta": {SUBSCRIPTION_ID_META_KEY: self.ctx.request_id}}
        await self.is_acknowledged.wait()
        while await self.has_news.wait():
            self.has_news.clear()
            news, self.news = self.news, {}
            for state in news.values():
                message: Any = TaskNotification(params={**state, **meta})
                await self.ctx.session.send_notification(message, self.ctx.request_id)
