# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The server: which handler belongs to which entry of the spec."""

import importlib.resources
from typing import Any

from mcp.server import Server
from mcp.server.request_state import RequestStateBoundary
from mcp_types import Implementation

from expenses.lifespan import Shared, lifespan
from expenses.tools.add_expense import add_expense
from expenses.tools.approve_expense import approve_expense
from expenses.tools.attach_receipt import attach_receipt
from expenses.tools.convert_expenses import convert_expenses
from expenses.tools.get_expense import get_expense
from expenses.tools.get_rate import get_rate
from expenses.tools.summarize_expenses import summarize_expenses

from . import contract as c
from .runtime.call_log import LoggedTools
from .runtime.catalog import Catalog
from .runtime.encodings import check_encodings
from .runtime.handlers import Calls
from .runtime.questions import ask_first
from .runtime.state_keys import security_from
from .runtime.static_resources import StaticResources
from .runtime.task import TaskRule
from .runtime.tasks import Tasks
from .runtime.telemetry import attach as attach_telemetry
from .runtime.tools import Tool

CATALOG = Catalog(importlib.resources.files("expenses._generated") / "catalog.json")
# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "get_rate": Tool[c.GetRateArguments, c.GetRateResult](
        c.GetRateArguments, get_rate, timeout=30
    ),
    "add_expense": Tool[c.AddExpenseArguments, c.AddExpenseResult](
        c.AddExpenseArguments, add_expense
    ),
    "attach_receipt": Tool[c.AttachReceiptArguments, c.AttachReceiptResult](
        c.AttachReceiptArguments, attach_receipt
    ),
    "approve_expense": Tool[c.ApproveExpenseArguments, c.ApproveExpenseResult](
        c.ApproveExpenseArguments, approve_expense
    ),
    "get_expense": Tool[c.GetExpenseArguments, c.GetExpenseResult](
        c.GetExpenseArguments, get_expense
    ),
    "convert_expenses": Tool[c.ConvertExpensesArguments, c.ConvertExpensesResult](
        c.ConvertExpensesArguments, convert_expenses, timeout=300
    ),
    "summarize_expenses": Tool[c.SummarizeExpensesArguments, c.SummarizeExpensesResult](
        c.SummarizeExpensesArguments, summarize_expenses
    ),
}
TASKS = {"convert_expenses": TaskRule(poll=0.5)}


def create_server(
    call_time: float = 600, threads: int = 128, tasks_file: str = ":memory:"
) -> Server[Shared]:
    """Return the server, ready for a transport to run.

    `call_time` is in seconds. `threads` is how many plain `def` handlers run at once.
    `tasks_file` is where tasks are kept.
    """
    calls = Calls(call_time, threads)
    check_encodings()
    tools = LoggedTools(CATALOG["tools"], TOOLS, c.Context, calls)
    tasks = Tasks(TASKS, tools, tasks_file)
    resources = StaticResources(CATALOG["contents"])
    info = Implementation.model_validate(CATALOG["serverInfo"])
    server = Server(
        **dict(info),
        instructions=CATALOG["instructions"] or None,
        lifespan=lambda _: tasks.around(lifespan()),
        on_list_tools=tools.list,
        on_call_tool=tasks.call,
        get_tool_input_schema=lambda _: None,  # No argument is in a header too.
        on_list_resources=resources.list,
        on_list_resource_templates=resources.list_templates,
        on_read_resource=resources.read,
    )
    server.extensions.update(CATALOG["capabilities"]["extensions"])
    attach_telemetry(server, CATALOG)  # In place of the SDK's own spans.
    server.middleware.append(tools.log)
    # What clients carry from one round of questions to the next is sealed.
    sealed = security_from("EXPENSES_STATE_KEYS")
    server.middleware.append(RequestStateBoundary(sealed, default_audience=info.name))
    tasks.attach(server)
    server.middleware.append(CATALOG.verbatim)
    server.middleware.append(ask_first)
    return server
