"""Tasks of a real server: over each transport, and beyond its end."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

from templates.python.runtime.task_client import TaskClient
from tests.generated import Generated, WebServer, listening, of_the_sdk
from tests.runtime.test_tasks import SUPPORTS, ask, begun, until
from tests.runtime.test_tools import text_of
from tests.waiting import WITHIN
from tests.wire import Wire

pytestmark = [pytest.mark.anyio, of_the_sdk]


async def confirm(context: object, params: Any) -> ElicitResult:
    return ElicitResult(action="accept", content={"confirm": True})


@pytest.mark.parametrize("transport", ["stdio", "sse", "streamable-http"])
async def test_a_task_has_the_same_result_as_a_plain_call(
    fixtures: Generated, web: Callable[[str], WebServer], transport: str
) -> None:
    wire = Wire.to(fixtures, web, transport)
    more: Any = {"extensions": [TaskClient()], "elicitation_callback": confirm}
    async with Client(wire(), **more) as client:
        result = await client.call_tool("confirm_delete", {"filename": "a.txt"})
        assert text_of(result) == "Deleted a.txt."
        assert (await client.call_tool("failing_job", {})).is_error
    methods = [message.get("method") for _, message in wire.passed]
    assert {"tasks/get", "tasks/update"} <= {*methods}


async def test_stopping_a_server_fails_its_tasks(fixtures: Generated, tmp_path: Path) -> None:
    env = {"CONFORMANCE_TASKS": str(tmp_path / "tasks.sqlite3")}
    tasks: list[str] = []
    for number in range(2):
        with listening(fixtures, "streamable-http", tmp_path / f"{number}.txt", **env) as server:
            transport = streamable_http_client(server.url("/mcp"))
            async with Client(transport, extensions=[SUPPORTS]) as client:
                for id in tasks:
                    assert (await until(client, id, "failed"))["error"]["code"] == -32603
                tasks = [(await begun(client, "slow_compute", seconds=600))["taskId"]]
                assert (await ask(client, "tasks/get", tasks[0]))["status"] == "working"
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(WITHIN) == 0
