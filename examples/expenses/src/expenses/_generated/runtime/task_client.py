"""Tasks in the client: wait until the result of a call is available."""

from collections.abc import Sequence
from typing import Any, Literal

import anyio
from mcp import MCPError
from mcp.client import ClientRequestContext
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp_types import (
    CallToolResult,
    EmptyResult,
    ErrorData,
    InputRequests,
    Request,
    Result,
)
from pydantic import Field


class Created(Result):
    """A task that the server has made of a call."""

    result_type: Literal["task"] = "task"
    task_id: str


class Current(Result):
    """The state of a task."""

    status: str
    poll_interval_ms: int = 1000
    input_requests: InputRequests = Field(default_factory=InputRequests)
    result: CallToolResult | None = None
    error: ErrorData = ErrorData(code=0, message="The task was cancelled")


class TaskRequest(Request[dict[str, Any], str]):
    name_param = "taskId"


class TaskClient(ClientExtension):
    """Waits for tasks. Their questions are asked as those of other calls."""

    identifier = "io.modelcontextprotocol/tasks"

    def claims(self) -> Sequence[ResultClaim[Any]]:
        return [ResultClaim(result_type="task", model=Created, resolve=self.result)]

    async def result(self, created: Created, context: ClaimContext) -> CallToolResult:
        """Return the result of a task, or raise MCPError if it ends without."""
        session, about = context.session, {"taskId": created.task_id}
        while True:
            get = TaskRequest(method="tasks/get", params=about)
            task = await session.send_request(get, Current)
            if task.result:
                return task.result
            if task.status in ("failed", "cancelled"):
                raise MCPError.from_error_data(task.error)
            for name, question in task.input_requests.items():
                asked = ClientRequestContext(session=session, request_id=name)
                answer = await session.dispatch_input_request(asked, question)
                if isinstance(answer, ErrorData):
                    raise MCPError.from_error_data(answer)
                params = {**about, "inputResponses": {name: answer}}
                update = TaskRequest(method="tasks/update", params=params)
                await session.send_request(update, EmptyResult)
            await anyio.sleep(task.poll_interval_ms / 1000)
