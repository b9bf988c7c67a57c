"""The client's log, and suggestions: what is sent of it, and what is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.server import Server

from templates.python.runtime import logs
from templates.python.runtime.completions import Completions
from templates.python.runtime.handlers import BaseContext, Calls
from templates.python.runtime.logs import LoggingContext
from tests.runtime.serving import server_of
from tests.runtime.test_tools import ERAS

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore:.*(deprecated|removed) as of 2026-07-28"),
]


@pytest.mark.parametrize("mode", ERAS)
async def test_a_message_is_sent_at_the_level_that_the_client_asks_for(mode: str) -> None:
    async def say(arguments: Any, context: LoggingContext[None]) -> None:
        await context.log.debug("too quiet")
        await context.log.warning({"name": "caf\udce9"}, logger="files")

    server = server_of(say, context=LoggingContext)
    logs.attach(server)
    heard: list[types.LoggingMessageNotificationParams] = []

    async def listen(params: types.LoggingMessageNotificationParams) -> None:
        heard.append(params)

    async with Client(server, mode=mode, logging_callback=listen, log_level="info") as client:
        if mode == "legacy":
            await client.session.set_logging_level("info")
        result = await client.call_tool("say", {})
    assert not result.is_error
    [params] = heard
    assert (params.level, params.logger, params.data) == ("warning", "files", {"name": "caf?"})


CATALOG: dict[str, Any] = {
    "prompts": [{"name": "plan", "arguments": [{"name": "day"}]}],
    "resourceTemplates": [],
}


def suggesting(handler: Callable[..., Any]) -> Server[Any]:
    completions = Completions(CATALOG, handler, BaseContext, Calls())  # type: ignore[arg-type]
    return Server("served", version="1", on_completion=completions.answer)


PLAN = types.PromptReference(name="plan")


@pytest.mark.parametrize(
    "about", [PLAN, types.PromptReference(name="x")], ids=lambda reference: reference.name
)
async def test_unknown_arguments_are_not_completed(about: Any) -> None:
    def complete(params: types.CompleteRequestParams, context: object) -> list[str]:
        return ["never"]

    async with Client(suggesting(complete)) as client:
        with pytest.raises(MCPError) as raised:
            await client.complete(about, {"name": "dya", "value": ""})
    assert raised.value.error.code == types.INVALID_PARAMS


async def test_a_failure_is_masked() -> None:
    def complete(params: types.CompleteRequestParams, context: object) -> list[str]:
        raise ValueError("a secret")

    async with Client(suggesting(complete)) as client:
        with pytest.raises(MCPError, match=r"^Internal error, reference [0-9a-f]{8}$"):
            await client.complete(PLAN, {"name": "day", "value": ""})
