"""Questions of a task, which the client finds in its state and answers when it can."""

import mcp_types as types

from .handlers import Shared
from .questions import Answer, AskingContext
from .task import TaskContext, task_of


class AskingTaskContext(TaskContext[Shared], AskingContext[Shared]):
    """A context whose questions wait for their answer in a task, and not before."""

    async def answer(
        self, name: str, question: types.InputRequest, kind: type[Answer]
    ) -> Answer:
        task = task_of(self.request)
        if task is None or not task.started.done():
            return await super().answer(name, question, kind)
        with self.waiting(name):
            answer: Answer = await task.ask(name, question, kind)
        return answer
