"""Tasks in Python: the rules of tools whose calls can become tasks."""

from __future__ import annotations

from scaffold.languages.python.expressions import quoted
from scaffold.spec.format import Tool


def task_rule(tool: Tool) -> str:
    """Return the row of a tool in the table of rules, without defaults, or nothing."""
    if (task := tool.as_task) is None:
        return ""
    given = {
        "required": task.support == "required",
        "by_handler": task.start == "handler",
        "ttl": f"{task.ttl:g}" if "ttl" in task.model_fields_set else "",
        "poll": f"{task.poll:g}" if "poll" in task.model_fields_set else "",
    }
    arguments = ", ".join(f"{name}={value}" for name, value in given.items() if value)
    return f"{quoted(tool.name)}: TaskRule({arguments})"
